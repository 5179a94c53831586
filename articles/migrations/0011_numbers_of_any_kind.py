from django.db import migrations

from articles.quantities import AS_NUMBER, REPORT_NUMBER, REPORT_NUMBER_OF_ANY_KIND


class Migration(migrations.Migration):
    dependencies = [("articles", "0010_derived")]

    operations = [
        migrations.RunSQL(AS_NUMBER, "drop function articles_as_number(jsonb)"),
        migrations.RunSQL(
            REPORT_NUMBER_OF_ANY_KIND, REPORT_NUMBER.replace("create function", "create or replace function")
        ),
    ]
