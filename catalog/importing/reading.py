"""Every record and every problem of a path, in one pass over its files."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from catalog.importing.documents import Document, UnreadableFileError, decode, read_documents
from catalog.importing.finding import FoundFile, find_files
from catalog.importing.library import read_type
from catalog.importing.problems import Notice, Problems, Refusal
from catalog.importing.records import DeviceType, ModuleType, RackType, Source, TypeRecord
from catalog.importing.systems import is_systems_file, read_systems

LIBRARY = Source(
    title="NetBox device type library",
    publisher="NetBox device-type library contributors",
    url="https://github.com/netbox-community/devicetype-library",
    licence="CC0-1.0",
)
KIND_NAMES = {DeviceType: "device type", ModuleType: "module type", RackType: "rack type"}

Progress = Callable[[tuple[FoundFile, ...]], Iterable[FoundFile]]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a path holds. Refused records are not in `devices`, `modules` and `racks`: `refusals` says why."""

    devices: tuple[DeviceType, ...]
    modules: tuple[ModuleType, ...]
    racks: tuple[RackType, ...]
    refusals: tuple[Refusal, ...]
    notices: tuple[Notice, ...]
    skipped: dict[str, int]
    file_count: int
    source: Source

    @property
    def records(self) -> tuple[TypeRecord, ...]:
        return (*self.devices, *self.modules, *self.racks)

    def component_counts(self) -> Counter[str]:
        """Count the components of all records by kind, such as interfaces."""
        equipped: list[DeviceType | ModuleType] = [*self.devices, *self.modules]
        return Counter(component.kind for record in equipped for component in record.components)


def read_path(path: Path, *, source: Source = LIBRARY, progress: Progress = iter) -> Reading:
    """Read a folder tree, a file, or several documents in one. `source` is what claims of library files cite.

    `progress` wraps the files as they are read. Raises FileNotFoundError.
    """
    found = find_files(path)
    records: list[TypeRecord] = []
    problems: list[Problems] = []
    for file in progress(found.files):
        new_records, new_problems = read_file(file, source)
        records += new_records
        problems += new_problems
    records = _without_twins(records, problems)
    return Reading(
        devices=tuple(record for record in records if isinstance(record, DeviceType)),
        modules=tuple(record for record in records if isinstance(record, ModuleType)),
        racks=tuple(record for record in records if isinstance(record, RackType)),
        refusals=tuple(sorted(refusal for each in problems for refusal in each.refusals)),
        notices=tuple(sorted(notice for each in problems for notice in each.notices)),
        skipped=found.skipped,
        file_count=len(found.files),
        source=source,
    )


def read_file(file: FoundFile, source: Source) -> tuple[list[TypeRecord], list[Problems]]:
    """Return the records of one file with the problems of its documents; of one that ends unreadable, no record."""
    records: list[TypeRecord] = []
    problems: list[Problems] = []
    documents, end = _documents(file)
    # An empty document at the end, after a last `---`, says nothing; a file without any other does.
    filled = [document for document in documents if document.root is not None] or documents[:1]
    if not filled and end is None:
        filled = [Document(None, [])]
    for document in filled:
        if is_systems_file(document):
            devices, found = read_systems(document, file.name)
            records += devices
            problems += found
            continue
        one = Problems(file.name)
        record = read_type(document, file.kind, source, file.cited, one)
        problems.append(one)
        if record is not None:
            records.append(record)
    if end is not None:
        return [], [*problems, end]
    return records, problems


def _documents(file: FoundFile) -> tuple[list[Document], Problems | None]:
    """Return the documents of a file up to where it can be read, and why that is not its end."""
    documents: list[Document] = []
    problems = Problems(file.name)
    try:
        documents.extend(read_documents(decode(file.path.read_bytes())))
    except UnreadableFileError as error:
        problems.refuse(*error.fault)
    except OSError as error:
        problems.refuse(1, "", "unreadable", f"The file cannot be opened: {error.strerror}.")
    else:
        return documents, None
    return documents, problems


def _without_twins(records: list[TypeRecord], problems: list[Problems]) -> list[TypeRecord]:
    """Return `records` without those whose slug, or maker and model, an earlier one of the same reader has."""
    seen: dict[tuple[object, ...], TypeRecord] = {}
    kept = []
    for record in records:
        scope = (type(record), record.origin if isinstance(record, DeviceType) else "library")
        # Modules have no slug of their own: of two models whose names make one, the second gets another.
        by_slug = (*scope, "slug", record.identity if isinstance(record, ModuleType) else record.slug)
        by_model = (*scope, "model", record.identity)
        twin = seen.get(by_model) or seen.get(by_slug)
        if twin is None:
            seen[by_model] = seen[by_slug] = record
            kept.append(record)
            continue
        same_model = twin.identity == record.identity
        what = f"model {record.model} of {record.manufacturer}" if same_model else f"address {record.slug}"
        one = Problems(record.place.file)
        one.refuse(
            record.place.line,
            "model" if same_model else "slug",
            "duplicate_model" if same_model else "duplicate_slug",
            f"Another {KIND_NAMES[type(record)]} has the {what}: {twin.place.file}, line {twin.place.line}. Keep one.",
        )
        problems.append(one)
    return kept
