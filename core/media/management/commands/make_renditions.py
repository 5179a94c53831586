"""Make the renditions that images lack, here and now."""

from typing import Any

from django.core.management.base import BaseCommand
from tqdm import tqdm

from core.media.models import Image
from core.media.services import recipe, render_what_waits


class Command(BaseCommand):
    help = (
        "Make the renditions that images lack: after PLENUM_RENDITION_WIDTHS was changed, or where no worker runs. "
        "It can be stopped and started again."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        count = Image.objects.waiting(recipe()).count()
        if not count:
            self.stdout.write("Every image has its renditions.")
            return
        failures = 0
        with tqdm(total=count, unit="image", disable=None) as bar:

            def tell(image: Image, made: int, failure: str) -> None:
                nonlocal failures
                failures += bool(failure)
                self.stdout.write(f"{image.name}: {failure or f'{made} renditions'}")
                bar.update()

            render_what_waits(tell, at_once=True)
        if failures:
            self.stdout.write(f"{failures} of {count} images failed; start again when their files are there.")
