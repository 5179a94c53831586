from django.db import migrations

# References are kinds and ids, not foreign keys, so whoever deletes a scenario must not have to think of them.
FORGET = """
create function simulator_forget_references() returns trigger language plpgsql as $$
begin
    delete from publishing_reference where holder_kind = 'scenario' and holder_id in (select id from old_rows);
    return null;
end $$;
create trigger simulator_scenario_forget after delete on simulator_scenario referencing old table as old_rows
    for each statement execute function simulator_forget_references();
"""
UNDO = """
drop trigger simulator_scenario_forget on simulator_scenario;
drop function simulator_forget_references();
"""


class Migration(migrations.Migration):
    dependencies = [("simulator", "0002_triggers"), ("publishing", "0001_initial")]

    operations = [migrations.RunSQL(FORGET, UNDO)]
