from django.db import migrations

from core.feed.triggers import announce
from core.publishing.triggers import guard_editions


class Migration(migrations.Migration):
    dependencies = [("articles", "0001_initial"), ("feed", "0002_triggers"), ("publishing", "0002_triggers")]

    operations = [
        announce("articles_author", "author", touch=True),
        announce("articles_tag", "tag", touch=True),
        guard_editions("articles_edition", "article", "article_id", approvals=1, independent=False),
    ]
