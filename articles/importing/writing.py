"""A publication into the database: one transaction, through the services, all of it or nothing."""

from collections.abc import Callable
from dataclasses import dataclass

from django.db import connection, transaction

from articles.importing import accounts, directory, publishing, simulations, standing
from articles.importing.desk import Desk
from articles.importing.existing import existing_slugs
from articles.importing.reading import in_devices, refuse_dangling
from articles.importing.records import Publication
from articles.importing.tally import Tally, written
from articles.services import ARTICLE
from catalog.importing.problems import Notice, Refusal
from catalog.importing.storing import import_types
from sponsors.services import VENDOR

# Two loads at a time would both find nothing. Any number that no other lock uses.
LOAD_LOCK = 7_305_002

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was done, by kind and verb (created, changed, published, unchanged), and what to know of it."""

    counts: dict[tuple[str, str], int]
    notices: tuple[Notice, ...]

    @property
    def written(self) -> int:
        """How many rows were written; 0 for a second run."""
        return written(self.counts)


class LoadRefusedError(Exception):
    """Nothing was written: `refusals` says what stands in the way, by file and line."""

    def __init__(self, refusals: list[Refusal]) -> None:
        super().__init__(f"{len(refusals)} refused.")
        self.refusals = sorted(refusals)


def load(publication: Publication, *, progress: Progress = lambda _: None) -> Outcome:
    """Bring a publication in, and return what was done. A second run writes nothing.

    What editors changed here since (an article they wrote in, a claim they chose) stays, with a notice. `progress` is
    told what comes next. Raises LoadRefusedError, and then nothing of it is left behind, in the storage neither.
    """
    tally = Tally()
    try:
        with transaction.atomic():
            _load(publication, tally, progress)
            if tally.refusals:
                raise LoadRefusedError(tally.refusals)
    except BaseException:
        tally.remove_files()
        raise
    return Outcome(dict(tally.counts), tuple(sorted(tally.notices)))


def _load(publication: Publication, tally: Tally, progress: Progress) -> None:
    with connection.cursor() as cursor:
        cursor.execute("select pg_advisory_xact_lock(%s)", [LOAD_LOCK])
    _stop_on(tally, refuse_dangling(publication, existing_slugs))
    writer, in_use = accounts.importer()
    approvers, refusals = accounts.people(publication.people)
    _stop_on(tally, [*in_use, *refusals, *_too_few(publication, len(approvers))])
    desk = Desk(writer=writer, approvers=approvers, tally=tally)

    progress("sections, rungs, sources")
    standing.store_sections(publication.sections, tally)
    standing.store_rungs(publication.rungs, tally)
    standing.store_sources(publication.sources, tally)
    _stop_on(tally, [])
    if publication.devices is not None:
        progress("devices")
        devices = import_types(publication.devices)
        _stop_on(tally, [in_devices(refusal) for refusal in devices.refusals])
        tally.count("devices", "created" if devices.is_written else "unchanged", len(publication.devices.records))
    progress("installations, facts, pictures, bylines")
    standing.store_installations(publication.installations, tally)
    _stop_on(tally, [])
    standing.store_pictures(publication.pictures, tally)
    standing.store_authors(publication.authors, tally)
    standing.store_tags(publication.articles, tally)
    progress("vendors")
    directory.store_vendors(publication.vendors, desk)
    _stop_on(tally, [])
    of_installations = (fact for installation in publication.installations for fact in installation.facts)
    standing.store_facts([*publication.facts, *of_installations], tally)
    progress("scenarios")
    simulations.store_scenarios(publication.scenarios, tally)
    _stop_on(tally, [])
    progress("articles")
    publishing.store_drafts(publication.articles, desk)
    publishing.publish_drafts(publication.articles, desk)


def _stop_on(tally: Tally, refusals: list[Refusal]) -> None:
    """End here where something is refused: what follows builds on it, and would only repeat it."""
    if tally.refusals or refusals:
        raise LoadRefusedError([*tally.refusals, *refusals])


def _too_few(publication: Publication, approvers: int) -> list[Refusal]:
    needed = max(VENDOR.approvals if publication.vendors else 0, ARTICLE.approvals if publication.articles else 0)
    if approvers >= needed:
        return []
    message = f"{needed} people have to approve what is imported; people.yaml names {approvers}."
    return [Refusal("people.yaml", 1, "", "too_few_people", message)]
