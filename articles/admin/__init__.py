"""The admin of the publication: articles, and the names that stand beside them."""

from articles.admin import bylines
from articles.admin.articles import ArticleAdmin

__all__ = ["ArticleAdmin", "bylines"]
