from django.db import migrations

from core.publishing.redirects import keep_redirects


class Migration(migrations.Migration):
    dependencies = [("articles", "0005_kept"), ("publishing", "0004_redirects")]

    operations = [keep_redirects("articles_edition", "article", "article_id", addresses="articles_oldaddress")]
