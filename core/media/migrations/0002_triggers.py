from django.db import migrations

from core.feed.triggers import announce


class Migration(migrations.Migration):
    dependencies = [("media", "0001_initial"), ("feed", "0002_triggers")]

    operations = [announce("media_image", "image", touch=True)]
