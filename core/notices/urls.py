"""The pages of notices, inside the admin."""

from django.contrib import admin
from django.urls import path

from core.notices import pages

urlpatterns = [
    path("", admin.site.admin_view(pages.notices), name="notices"),
    path("<uuid:notice_id>/", admin.site.admin_view(pages.open_notice), name="notice"),
]
