"""Saved runs of the simulator."""

from django.db import models
from django.db.models.functions import Now

from core.api.fields import IdField, PublicSlugField, slug_constraints
from simulator.about import KIND_CHOICES
from simulator.querysets import RunQuerySet, ScenarioDriftQuerySet, ScenarioQuerySet

WORKER_LOST = "worker_lost"
"""The code of what ended its workers, of runs and of comparisons."""


class Scenario(models.Model):
    """An input of the simulator with the report that it gave, and the version of the engine that gave it."""

    id = IdField()
    slug = PublicSlugField(unique=True)
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True, default="")
    kind = models.CharField(
        max_length=20,
        choices=KIND_CHOICES,
        default="rack",
        db_default="rack",
        help_text="The question that it asks: a rack, or a layer beside it. It stays what it is.",
    )
    input = models.JSONField(help_text="As the API takes it for this kind.")
    result = models.JSONField(editable=False, help_text="The report that the API gives for this kind.")
    engine_version = models.CharField(max_length=40, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = ScenarioQuerySet.as_manager()

    class Meta:
        ordering = ["slug"]
        constraints = slug_constraints("scenario")

    def __str__(self) -> str:
        return self.title


class ScenarioDrift(models.Model):
    """What a scenario would say otherwise today. There is one only while something moved: who saves accepts it.

    It stands beside the scenario, so that the scenario stays as it is until a person changes it.
    """

    id = models.BigAutoField(primary_key=True)
    scenario = models.OneToOneField(Scenario, on_delete=models.CASCADE, related_name="drift")
    engine_version = models.CharField(max_length=40, help_text="Of the run that it was compared with.")
    since = models.DateTimeField(help_text="When something first moved since the scenario was saved.")
    data = models.JSONField(help_text="moved, outcomes, warnings_gone, warnings_new, problem, problems.")

    objects = ScenarioDriftQuerySet.as_manager()

    def __str__(self) -> str:
        return f"Drift of {self.scenario_id}"

    @property
    def is_put_aside(self) -> bool:
        """Whether its run ended workers, so that nobody runs it again until something changes."""
        return any(problem["code"] == WORKER_LOST for problem in self.data.get("problems", ()))


class ScenarioCheck(models.Model):
    """By which version of the engine a scenario was last compared with a run of its day. It is no part of the feed."""

    scenario = models.OneToOneField(Scenario, on_delete=models.CASCADE, primary_key=True, related_name="check_made")
    engine_version = models.CharField(max_length=40)

    def __str__(self) -> str:
        return f"Check of {self.scenario_id} by engine {self.engine_version}"


class BegunCheck(models.Model):
    """A comparison that began and did not end: it is deleted with what came of one that did.

    It is written in a transaction of its own, so that it outlives a worker that is killed.
    """

    scenario = models.OneToOneField(Scenario, on_delete=models.CASCADE, primary_key=True, related_name="check_begun")
    tries = models.PositiveSmallIntegerField(default=0, help_text="How often it was begun.")

    def __str__(self) -> str:
        return f"Check of {self.scenario_id}, begun {self.tries} times"


class DueCheck(models.Model):
    """A change of the catalogue after which a scenario has to be compared; written by `simulator_ask_checks` alone."""

    id = models.BigAutoField(primary_key=True)
    scenario_id = models.UUIDField(db_index=True, help_text="No foreign key: writers of devices must not wait for it.")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"Check of {self.scenario_id}, due since {self.at:%Y-%m-%d %H:%M %Z}"


class Run(models.Model):
    """A calculation that takes longer than an answer may: it waits for the worker, and is asked for by its id.

    Whoever has the id may read it, and nobody else finds it. It is no part of the feed, and is thrown away.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "Waiting"
        RUNNING = "running", "Running"
        DONE = "done", "Done"
        FAILED = "failed", "Failed"
        CANCELLED = "cancelled", "Cancelled"

    id = IdField()
    kind = models.CharField(max_length=40, help_text="plan, sweep…")
    input = models.JSONField()
    sha256 = models.CharField(max_length=64, help_text="Of kind, input and version of the engine.")
    client = models.CharField(
        max_length=64, blank=True, default="", help_text="Who asked for it: a keyed hash of the account or the address."
    )
    tries = models.PositiveSmallIntegerField(default=1, help_text="How often it was handed to a worker.")
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    progress = models.JSONField(null=True, help_text="How far it is, while it runs: best, bound, gap, seconds.")
    report = models.JSONField(null=True)
    problems = models.JSONField(default=list, help_text="Why it failed: field, code, message.")
    engine_version = models.CharField(max_length=40)
    created_at = models.DateTimeField(db_default=Now())
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField()

    objects = RunQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["sha256"],
                condition=models.Q(state__in=["waiting", "running"]),
                name="simulator_run_asked_once",
            )
        ]
        indexes = [models.Index(fields=["state", "created_at"], name="simulator_run_state")]

    def __str__(self) -> str:
        return f"{self.kind} of {self.created_at:%Y-%m-%d %H:%M %Z}, {self.get_state_display().lower()}"
