from django.db import migrations

from core.feed.triggers import announce
from core.media.pictures_in_text import DROP_FUNCTION, FUNCTION


class Migration(migrations.Migration):
    dependencies = [("media", "0004_renditions"), ("feed", "0002_triggers")]

    operations = [
        announce("media_rendition", "image", id_column="image_id"),
        migrations.RunSQL(FUNCTION, DROP_FUNCTION),
    ]
