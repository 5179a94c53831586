"""The admin of whatever has a draft and editions: an article, a vendor."""

from core.publishing.admin.drafts import DraftedAdmin
from core.publishing.admin.pages import Page, Remark, Verbs
from core.publishing.admin.parts import PartOfDraft, PlacedForm, in_order
from core.publishing.admin.verbs import VerbPages

__all__ = ["DraftedAdmin", "Page", "PartOfDraft", "PlacedForm", "Remark", "VerbPages", "Verbs", "in_order"]
