from django.db import migrations, models

import articles.corrections


class Migration(migrations.Migration):
    dependencies = [("articles", "0009_pictures")]

    operations = [
        migrations.AddField(
            model_name="edition",
            name="corrected",
            field=models.GeneratedField(
                db_persist=True,
                expression=articles.corrections.gravest(),
                output_field=models.CharField(max_length=10, null=True),
            ),
        ),
        migrations.AddField(
            model_name="edition",
            name="reading_minutes",
            field=models.GeneratedField(
                db_persist=True,
                expression=models.Func(
                    models.F("content"), template="((%(expressions)s ->> 'reading_minutes')::integer)"
                ),
                output_field=models.PositiveIntegerField(),
            ),
        ),
    ]
