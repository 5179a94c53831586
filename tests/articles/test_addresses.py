"""Old addresses that an import brings: how they are written, and whose they are."""

import pytest
from django.core.exceptions import ValidationError

from articles.addresses import keep_old_address, normalise_path
from articles.models import OldAddress
from tests.factories import make_article


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("/2024/05/busways/", "/2024/05/busways"),
        ("2024/05/busways", "/2024/05/busways"),
        ("https://old.example/2024//busways/?p=1#top", "/2024/busways"),
        ("//old.example/busways", "/busways"),
        ("HTTP://OLD.example:8080/Busways.html", "/Busways.html"),
        ("/k%C3%BChlung", "/kühlung"),
        ("/ku\u0308hlung", "/kühlung"),
        ("/100%25", "/100%"),
        ("/a%252Fb", "/a%2Fb"),
        ("/why%3F", "/why?"),
        (" /busways ", "/busways"),
    ],
)
def test_an_address_is_kept_as_a_path(text, path):
    assert normalise_path(text) == path


@pytest.mark.parametrize(
    "text", ["", "/", "https://old.example", "/?p=123", "/%FF", "/a%00b", "/a\nb", "/" + "a" * 500]
)
def test_what_is_no_path_of_an_article_is_refused(text):
    with pytest.raises(ValidationError) as refusal:
        normalise_path(text)

    assert refusal.value.code == "address_invalid"


@pytest.mark.django_db
def test_an_address_is_kept_once_and_belongs_to_one_article():
    one, other = make_article(title="Busways", slug="busways"), make_article()

    address = keep_old_address(one, "https://old.example/2024/busways/")
    again = keep_old_address(one, "/2024/busways")

    assert (address.path, address.article_id, again.pk) == ("/2024/busways", one.pk, address.pk)
    with pytest.raises(ValidationError) as refusal:
        keep_old_address(other, "/2024/busways?utm=x")
    assert refusal.value.code == "address_taken"
    assert refusal.value.messages == ["/2024/busways is an old address of “Busways” (busways)."]
    assert list(OldAddress.objects.values_list("path", "article_id")) == [("/2024/busways", one.pk)]
