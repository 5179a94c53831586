"""A process that reads uploads and tells what became of each, and how much memory it took at most.

python -m tests.core.media.reading FILE…   ->   {"base_mb": …, "peak_mb": …, "found": {FILE: code or format}}
"""

import json
import resource
import sys

from django.core.exceptions import ValidationError

from core.media.uploads import read_picture


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def outcome(path: str) -> str:
    with open(path, "rb") as file:
        try:
            picture = read_picture(file)
        except ValidationError as error:
            return str(error.code)
    return f"{picture.format} {picture.width}x{picture.height}"


if __name__ == "__main__":
    base_mb = peak_mb()
    found = {path: outcome(path) for path in sys.argv[1:]}
    print(json.dumps({"base_mb": base_mb, "peak_mb": peak_mb(), "found": found}))
