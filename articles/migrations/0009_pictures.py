from django.db import migrations

from articles.pictures import DROP_FUNCTION, FUNCTION


class Migration(migrations.Migration):
    dependencies = [
        ("articles", "0008_keep_used"),
        ("media", "0005_rendition_triggers"),
        ("publishing", "0002_triggers"),
    ]

    operations = [migrations.RunSQL(FUNCTION, DROP_FUNCTION)]
