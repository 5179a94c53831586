from django.db import migrations

from core.publishing.triggers import guard_editions, guard_joins
from sponsors import triggers


class Migration(migrations.Migration):
    """What of the directory and of placements holds whatever statement is sent."""

    dependencies = [
        ("sponsors", "0001_initial"),
        ("feed", "0002_triggers"),
        ("media", "0001_initial"),
        ("publishing", "0002_triggers"),
    ]

    operations = [
        migrations.RunSQL(triggers.CONSTRAINTS, triggers.DROP_CONSTRAINTS),
        guard_editions("sponsors_vendoredition", "vendor", "vendor_id", approvals=2, independent=True),
        guard_joins("sponsors_vendoreditionsection", "sponsors_vendoredition"),
        migrations.RunSQL(triggers.GUARDS, triggers.DROP_GUARDS),
        migrations.RunSQL(triggers.ANNOUNCEMENTS, triggers.DROP_ANNOUNCEMENTS),
    ]
