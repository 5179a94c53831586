from django.db import migrations

from core.publishing.redirects import keep_redirects


class Migration(migrations.Migration):
    dependencies = [("sponsors", "0002_triggers"), ("publishing", "0004_redirects")]

    operations = [keep_redirects("sponsors_vendoredition", "vendor", "vendor_id")]
