"""What the worker does for the simulator."""

from procrastinate.contrib.django import app

from simulator.checks import check_due
from simulator.runs import keep_runs, perform


# Behind all else: fifty may wait, and each takes up to a minute.
@app.task(queue="simulator", priority=-1, pass_context=False)
def perform_run(run_id: str) -> None:
    """Do a calculation that was asked for."""
    perform(run_id)


# Before all runs: an editor waits for it. A change of the catalogue asks for it by a trigger, in its own transaction.
@app.task(queue="simulator", name="simulator.tasks.check_scenarios")
def check_scenarios() -> None:
    """Compare the scenarios whose devices or racks changed with a run of today."""
    check_due()


@app.periodic(cron="* * * * *")
@app.task(queueing_lock="simulator_checks")
def keep_scenarios_checked(timestamp: int) -> None:
    """Compare what is new or a new engine has not seen yet, and what a worker left that was killed."""
    check_due()


@app.periodic(cron="* * * * *")
@app.task(queueing_lock="simulator_runs")
def keep_runs_in_order(timestamp: int) -> None:
    keep_runs()
