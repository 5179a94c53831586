"""The admin of whatever has a draft and editions: an article, a vendor."""

from core.publishing.admin.drafts import DraftedAdmin, PartOfDraft
from core.publishing.admin.verbs import Page, Verbs

__all__ = ["DraftedAdmin", "Page", "PartOfDraft", "Verbs"]
