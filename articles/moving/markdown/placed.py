"""Where what an inline token holds stands in the text."""

from bisect import bisect_right

from markdown_it.token import Token


class Placed:
    """Offsets in the content of an inline token as offsets in the text."""

    def __init__(self, token: Token) -> None:
        self._spans: list[tuple[int, int]] = token.meta["spans"]

    def __call__(self, at: int) -> int:
        content_at, text_at = self._spans[max(0, bisect_right(self._spans, at, key=lambda span: span[0]) - 1)]
        return text_at + at - content_at

    def behind(self, end: int) -> int:
        """Return the offset behind the character before `end`: the next one may stand in another line."""
        return self(end - 1) + 1 if end else self(0)
