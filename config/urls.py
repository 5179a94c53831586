"""The addresses of Plenum."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from articles.preview_pages import shared_preview
from config.graphql import graphql
from config.home import home
from config.media import media_file
from config.passwords import SetPassword, forgotten_password
from config.schedule import calendar

api: list[URLPattern | URLResolver] = [
    path("", include("simulator.rest.urls")),
    path("", include("catalog.rest.urls")),
    path("", include("core.facts.rest")),
    path("", include("core.feed.rest")),
    path("", include("core.publishing.rest")),
    path("", include("sponsors.rest.urls")),
    path("", include("articles.rest.urls")),
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
    path("docs/", SpectacularSwaggerSplitView.as_view(url_name="schema"), name="docs"),
]

# They are tried in this order, so what is asked most stands first.
urlpatterns: list[URLPattern | URLResolver] = [
    path("api/v1/", include(api)),
    path("", home, name="home"),
    path("admin/notices/", include("core.notices.urls")),
    path("admin/forgotten-password/", forgotten_password, name="forgotten_password"),
    path("admin/password/<uidb64>/<token>/", SetPassword.as_view(), name="set_password"),
    path("admin/calendar/", admin.site.admin_view(calendar), name="calendar"),
    path("admin/", admin.site.urls),
    path("preview/<str:token>/", shared_preview, name="preview"),
    path("simulator/", include("simulator.pages")),
    path("feeds/", include("articles.feeds.views")),
    path("", include("articles.feeds.sitemap")),
    path("graphql/", graphql, name="graphql"),
    path("media/<path:path>", media_file, name="media"),
]

handler400 = "core.api.errors.refused"
handler404 = "core.api.errors.unknown_address"
handler500 = "core.api.errors.crash"
