from django.apps import AppConfig


class NoticesConfig(AppConfig):
    name = "core.notices"
    label = "notices"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from core.notices.services import give_notices
        from core.publishing.happenings import listen

        listen(give_notices)
