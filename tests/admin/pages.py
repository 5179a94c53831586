"""What an editor does with a page: fill a form, press a button, read what is said."""

from html import unescape
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlsplit

from django.test import Client


class _Fields(HTMLParser):
    """Collects what a browser would send of one form as it was rendered."""

    def __init__(self, form_id: str) -> None:
        super().__init__()
        self.form_id, self.inside, self.values = form_id, False, {}
        self.area = self.select = self.first = None

    def handle_starttag(self, tag: str, attributes: list) -> None:
        given = dict(attributes)
        if tag == "form":
            self.inside = given.get("id") == self.form_id or (
                not self.form_id and "plenum-form" in given.get("class", "")
            )
        if not self.inside or "__prefix__" in (given.get("name") or ""):
            return
        name = given.get("name")
        if tag == "input" and name:
            kind = given.get("type", "text")
            if kind in ("checkbox", "radio"):
                if "checked" in given:
                    self.values.setdefault(name, []).append(given.get("value", "on"))
            elif kind not in ("submit", "button", "file"):
                self.values.setdefault(name, []).append(given.get("value") or "")
        elif tag == "textarea":
            self.area, self.values[name] = name, [""]
        elif tag == "select" and name:
            self.select, self.first = name, None if "multiple" in given else [""]
        elif tag == "option" and self.select:
            if self.first == [""]:
                self.first = [given.get("value", "")]
            if "selected" in given:
                self.values.setdefault(self.select, []).append(given.get("value", ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = False
        elif tag == "textarea":
            self.area = None
        elif tag == "select" and self.select:
            if self.first:  # What nobody chose is the first.
                self.values.setdefault(self.select, self.first)
            self.select = None

    def handle_data(self, data: str) -> None:
        if self.area:
            self.values[self.area][0] += data


def fields_of(html: str, form_id: str = "") -> dict[str, Any]:
    """Return what a browser would send of a form: lists where a name stands several times."""
    parser = _Fields(form_id)
    parser.feed(html)
    values = {}
    for name, found in parser.values.items():
        # A browser drops the first line end of a text area, and sends CRLF for each other.
        found = [value.removeprefix("\n").replace("\n", "\r\n") for value in found]
        values[name] = found[0] if len(found) == 1 else found
    return values


def open_form(client: Client, address: str, form_id: str = "") -> dict[str, Any]:
    response = client.get(address)
    assert response.status_code == 200, (response.status_code, address)
    return fields_of(response.content.decode(), form_id)


def fill(client: Client, address: str, form_id: str = "", /, **typed: Any):
    """Open a form, type over some of its fields, and send it; None takes a field out."""
    values = {**open_form(client, address, form_id), **typed}
    return client.post(address, {name: value for name, value in values.items() if value is not None})


def said(client: Client, response: Any) -> list[str]:
    """Return the messages of the page that a response leads to."""
    assert response.status_code == 302, text_of(response)
    return [str(message) for message in client.get(urlsplit(response["Location"]).path).context["messages"]]


def text_of(response: Any) -> str:
    """Return a page without its tags, with single spaces."""

    class Words(HTMLParser):
        def __init__(self) -> None:
            super().__init__()
            self.words: list[str] = []
            self.skipped = 0

        def handle_starttag(self, tag: str, attributes: list) -> None:
            self.skipped += tag in ("script", "style")

        def handle_endtag(self, tag: str) -> None:
            self.skipped -= tag in ("script", "style")

        def handle_data(self, data: str) -> None:
            if not self.skipped:
                self.words.append(data)

    parser = Words()
    parser.feed(response.content.decode())
    return unescape(" ".join(" ".join(parser.words).split()))


def errors_of(response: Any, name: str | None = None) -> list[str]:
    """Return the errors on a field of a record's form, or on a verb's; None: on the form as a whole."""
    context = response.context
    form = context["adminform"].form if "adminform" in context else context["form"]
    return list(form.errors.get(name or "__all__", []))
