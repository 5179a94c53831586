"""The history of the catalogue and of facts: each change leaves one event, whoever made it and in whatever way."""

import io
from decimal import Decimal

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import IntegrityError, ProgrammingError, connection, transaction
from django.db.migrations.executor import MigrationExecutor

from catalog.models import Device, Installation, Manufacturer, ModuleType, RackType, Rung, Section
from core.api.history import NOT_KEPT, attributed
from core.facts.models import Claim, Fact, Source
from core.feed.models import Change
from tests.factories import make_device, make_fact, make_installation, make_source

TRACKED = [Section, Rung, Manufacturer, Device, ModuleType, RackType, Installation, Source, Fact, Claim]

BOX = """\
manufacturer: Trap
model: {model}
slug: trap-box
u_height: 2
is_full_depth: true
power-ports:
  - name: PSU1
    type: iec-60320-c14
    maximum_draw: 750
"""


def events(row):
    return list(type(row).pgh_event_model.objects.filter(pgh_obj=row.pk).order_by("pgh_id"))


def labels(row):
    return [event.pgh_label for event in events(row)]


def event_counts():
    return {model: model.pgh_event_model.objects.count() for model in TRACKED}


def feed_length(row):
    return Change.objects.filter(object_id=row.pk).count()


# What is kept


def test_the_catalogue_and_facts_are_tracked_and_components_are_not():
    tracked = {model for model in apps.get_models() if hasattr(model, "pgh_event_models")}

    assert tracked == set(TRACKED)


@pytest.mark.parametrize("model", TRACKED, ids=lambda model: model.__name__)
def test_an_event_holds_every_column_but_those_that_the_database_makes(model):
    kept = {field.name for field in model.pgh_event_model._meta.fields if not field.name.startswith("pgh_")}

    assert kept == {field.name for field in model._meta.concrete_fields} - set(NOT_KEPT)


@pytest.mark.parametrize("model", TRACKED, ids=lambda model: model.__name__)
def test_no_relation_leads_from_a_record_to_its_past(model):
    assert [relation for relation in model._meta.get_fields() if "event" in relation.name] == []


def _by_save(device):
    device.description = "new"
    device.save()


def _by_update(device):
    Device.objects.filter(pk=device.pk).update(description="new")


def _by_bulk_update(device):
    device.description = "new"
    Device.objects.bulk_update([device], ["description"])


def _by_sql(device):
    with connection.cursor() as cursor:
        cursor.execute("update catalog_device set description = 'new' where id = %s", [device.pk])


@pytest.mark.django_db
@pytest.mark.parametrize("change", [_by_save, _by_update, _by_bulk_update, _by_sql])
def test_every_way_to_change_a_row_leaves_one_event_and_one_change(change):
    device = make_device(description="old")
    before = feed_length(device)

    change(device)

    assert [(event.pgh_label, event.description) for event in events(device)] == [("insert", "old"), ("update", "new")]
    assert feed_length(device) == before + 1


@pytest.mark.django_db
def test_every_way_to_make_or_delete_a_row_leaves_one_event():
    maker = Manufacturer.objects.create(slug="acme", name="Acme")
    one, two = Device.objects.bulk_create(
        [Device(slug=f"box-{n}", model=f"Box {n}", manufacturer=maker) for n in (1, 2)]
    )
    with connection.cursor() as cursor:
        cursor.execute("delete from catalog_device where id = %s", [one.pk])
    Device.objects.filter(pk=two.pk).delete()

    for device in (one, two):
        assert labels(device) == ["insert", "delete"]
        assert events(device)[-1].model == device.model


@pytest.mark.django_db
def test_what_goes_with_a_deleted_fact_is_kept_too():
    fact = make_fact(("700", "W"))
    claim = fact.claims.get()

    fact.delete()

    assert [event.pgh_label for event in Fact.pgh_event_model.objects.filter(label=fact.label)][-1] == "delete"
    assert labels(claim) == ["insert", "delete"]
    assert events(claim)[-1].value == Decimal(700)


@pytest.mark.django_db
@pytest.mark.parametrize("model", TRACKED, ids=lambda model: model.__name__)
def test_a_change_that_changes_nothing_leaves_no_event(model):
    make_fact(("700", "W"), subject=make_installation(rung=Rung.objects.first()))
    maker = make_device().manufacturer
    ModuleType.objects.create(slug="fan", model="Fan", manufacturer=maker)
    RackType.objects.create(slug="rack", model="Rack", manufacturer=maker)
    row = model.objects.first()
    before = len(events(row))

    row.save()
    model.objects.bulk_update([row], [field.name for field in model._meta.concrete_fields if _is_plain(field)])
    with connection.cursor() as cursor:
        cursor.execute(f"update {model._meta.db_table} set created_at = now() where id = %s", [row.pk])

    assert before == len(events(row))
    assert before > 0


def _is_plain(field):
    return not field.primary_key and not field.generated


@pytest.mark.django_db
@pytest.mark.parametrize("statement", ["update catalog_deviceevent set model = 'x'", "delete from catalog_deviceevent"])
def test_an_event_stays_as_it_was_written(statement):
    device = make_device()

    with (
        pytest.raises(ProgrammingError, match="Cannot update or delete"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)

    assert labels(device) == ["insert"]


# Who it was


@pytest.mark.django_db
def test_an_event_names_who_wrote_and_nobody_afterwards():
    with attributed(command="outer"):
        one = make_device()
        with attributed(user=7):
            two = make_device()
        three = make_device()
    four = make_device()

    contexts = [events(device)[0].pgh_context for device in (one, two, three, four)]
    assert contexts == [{"command": "outer"}, {"command": "outer", "user": 7}, {"command": "outer"}, None]
    assert len({events(device)[0].pgh_context_id for device in (one, two, three)}) == 1


@pytest.mark.django_db(transaction=True)
def test_nobody_is_named_after_a_failure():
    make_device(slug="taken")
    with pytest.raises(ZeroDivisionError), attributed(command="fails"):
        raise ZeroDivisionError
    with pytest.raises(IntegrityError), transaction.atomic(), attributed(command="is refused"):
        make_device(slug="taken")

    assert events(make_device())[0].pgh_context is None


@pytest.mark.django_db
def test_a_refused_write_leaves_no_event():
    before = event_counts()

    with pytest.raises(IntegrityError), transaction.atomic():
        make_device(slug="Not A Slug")

    assert event_counts() == before


def run_import(path, **options):
    call_command("import_devices", str(path), stdout=io.StringIO(), **options)


@pytest.mark.django_db
def test_an_import_names_its_command_and_a_second_one_leaves_no_event(tmp_path):
    file = tmp_path / "box.yaml"
    file.write_text(BOX.format(model="Box"))
    run_import(file)
    first = event_counts()

    run_import(file)

    device = Device.objects.get(slug="trap-box")
    assert event_counts() == first
    assert first[Device] == first[Manufacturer] == first[Source] == 1
    assert first[Fact] == Fact.objects.count() > 0
    assert first[Claim] == Claim.objects.count() > 0
    assert events(device)[0].pgh_context == {"command": "import_devices"}


@pytest.mark.django_db
def test_a_corrected_model_is_one_device_with_its_history(tmp_path):
    file = tmp_path / "box.yaml"
    file.write_text(BOX.format(model="Box"))
    run_import(file)
    file.write_text(BOX.format(model="Box Mk II"))

    run_import(file, update=True)

    device = Device.objects.get()
    assert [(event.pgh_label, event.model) for event in events(device)] == [("insert", "Box"), ("update", "Box Mk II")]


# The database


@pytest.mark.django_db(transaction=True)
def test_a_flush_empties_the_history_and_the_seeds_begin_anew():
    device = make_device()

    call_command("flush", interactive=False, verbosity=0)

    assert events(device) == []
    assert [labels(section) for section in Section.objects.all()] == [["insert"]] * 6


@pytest.mark.django_db
def test_the_history_can_be_taken_back_and_begins_with_what_stands():
    device, source = make_device(model="Box"), make_source(title="Guide")
    with connection.cursor() as cursor:
        cursor.execute("set constraints all immediate")
    executor = MigrationExecutor(connection)
    targets = [("catalog", "0002_triggers"), ("facts", "0002_triggers")]
    newest = [node for node in executor.loader.graph.leaf_nodes() if node[0] in ("catalog", "facts")]

    executor.migrate(targets)

    tables = connection.introspection.table_names()
    assert [name for name in tables if name.endswith("event") and name.startswith(("catalog", "facts"))] == []
    Device.objects.filter(pk=device.pk).update(description="Written while nobody looked.")
    with connection.cursor() as cursor:
        cursor.execute("set constraints all immediate")
    MigrationExecutor(connection).migrate(newest)

    assert [(event.pgh_label, event.model, event.description) for event in events(device)] == [
        ("begin", "Box", "Written while nobody looked.")
    ]
    assert [(event.pgh_label, event.title) for event in events(source)] == [("begin", "Guide")]
    Device.objects.filter(pk=device.pk).update(description="")
    assert labels(device) == ["begin", "update"]
