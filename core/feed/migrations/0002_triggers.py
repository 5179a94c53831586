from django.db import migrations

from core.feed.triggers import DROP_FUNCTIONS, FUNCTIONS


class Migration(migrations.Migration):
    """The functions by which tables tell the feed what changed; each app attaches them to its own."""

    dependencies = [("feed", "0001_initial")]

    operations = [migrations.RunSQL(FUNCTIONS, DROP_FUNCTIONS)]
