from django.apps import AppConfig


class ArticlesConfig(AppConfig):
    name = "articles"
    verbose_name = "Publication"
    default_auto_field = "django.db.models.BigAutoField"
