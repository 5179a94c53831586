from django.db import migrations

from core.feed.triggers import announce
from core.publishing.triggers import guard_editions, guard_joins


class Migration(migrations.Migration):
    dependencies = [("articles", "0001_initial"), ("feed", "0002_triggers"), ("publishing", "0002_triggers")]

    operations = [
        announce("articles_author", "author", touch=True),
        announce("articles_tag", "tag", touch=True),
        guard_editions("articles_edition", "article", "article_id", approvals=1, independent=False),
        guard_joins("articles_authorship", "articles_edition"),
        guard_joins("articles_tagging", "articles_edition"),
        guard_joins("articles_citation", "articles_edition"),
    ]
