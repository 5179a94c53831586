"""The addresses of Plenum."""

from django.contrib import admin
from django.urls import path

urlpatterns = [
    path("admin/", admin.site.urls),
]

handler400 = "core.api.errors.refused"
handler404 = "core.api.errors.unknown_address"
handler500 = "core.api.errors.crash"
