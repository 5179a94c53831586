"""Which addresses may stand in the directory. No database."""

import pytest
from django.core.exceptions import ValidationError

from sponsors.domains import is_lookalike, read_address, registrable_domain


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("nvidia.com", "nvidia.com"),
        ("WWW.Nvidia.COM.", "nvidia.com"),
        ("www.lenovo.com.cn", "lenovo.com.cn"),
        ("a.b.example.co.uk", "example.co.uk"),
        # Two users of one host are two owners.
        ("acme.github.io", "acme.github.io"),
        ("www.bücher.example.de", "example.de"),
        ("www.bücher.de", "xn--bcher-kva.de"),
        ("xn--bcher-kva.de", "xn--bcher-kva.de"),
        ("кто.рф", "xn--j1ail.xn--p1ai"),
        ("日本語カタカナ.jp", "xn--lcka3d1b3769bcvb2w6i.jp"),
        ("한국漢字.kr", "xn--p8s937b4q9bln7a.kr"),
    ],
)
def test_a_registrable_domain_is_found_and_written_in_ascii(host, domain):
    assert registrable_domain(host) == domain


@pytest.mark.parametrize(
    "host", ["com", "co.uk", "github.io", "localhost", "intranet.corp", "127.0.0.1", "::1", "", "a..com", "-a.com",
             "a_b.com", "x" * 64 + ".com", ".".join(["a" * 60] * 5) + ".com", "xn--zzzzzzzz9.com", "straße.de"],
)  # fmt: skip
def test_what_nobody_can_register_is_refused(host):
    with pytest.raises(ValidationError) as refusal:
        registrable_domain(host)
    assert refusal.value.code == "not_a_domain"


@pytest.mark.parametrize(
    "host",
    [
        "nvidiа.com",  # The last letter is Cyrillic.
        "xn--nvidi-6ve.com",  # The same, in ASCII.
        "раураl.com",
        "аррӏе.com",  # Cyrillic alone, and none of it looks it.
        "οικο.com",  # Greek alone.
        "nvıdia.com",  # An i without its dot.
        "ɢoogle.com",
    ],
)
def test_a_name_that_can_be_taken_for_another_is_held_back(host):
    with pytest.raises(ValidationError) as refusal:
        registrable_domain(host)
    assert refusal.value.code == "lookalike_domain"


@pytest.mark.parametrize(
    "label", ["яндекс", "москва", "ελλάδα", "bücher", "żółw", "日本語", "ひらがなkana", "한국", "løgn"]
)
def test_names_of_living_languages_pass(label):
    assert not is_lookalike(label)


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("https://www.nvidia.com/en-us/", "https://www.nvidia.com/en-us/"),
        ("  https://Hammerspace.COM ", "https://hammerspace.com"),
        ("HTTPS://nvidia.com:443/a?b=c#d", "https://nvidia.com/a?b=c#d"),
        ("https://www.bücher.de/ä?ö=ü", "https://www.xn--bcher-kva.de/%C3%A4?%C3%B6=%C3%BC"),
    ],
)
def test_an_address_is_written_in_ascii(written, url):
    assert read_address(written, field="homepage").url == url


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("http://nvidia.com/", "homepage_not_https"),
        ("javascript:alert(1)//nvidia.com", "homepage_not_https"),
        ("//nvidia.com/", "homepage_not_https"),
        ("nvidia.com", "homepage_not_https"),
        ("", "not_an_address"),
        ("https://", "not_an_address"),
        ("https://nvidia.com@evil.example/", "not_an_address"),
        ("https://user:secret@nvidia.com/", "not_an_address"),
        ("https://nvidia.com:8443/", "not_an_address"),
        ("https://nvidia.com:x/", "not_an_address"),
        ("https://evil.example\\@nvidia.com/", "not_an_address"),
        ("https://nvidia.com/ a", "not_an_address"),
        ("https://nvidia.com/\u202egro", "not_an_address"),
        ("https://nvidia.com/\na", "not_an_address"),
        ("https://[::1]/", "not_a_domain"),
        ("https://[::1/", "not_an_address"),
        ("https://127.0.0.1/", "not_a_domain"),
        ("https://nvidiа.com/", "lookalike_domain"),
    ],
)
def test_other_addresses_are_refused_on_their_field(written, code):
    with pytest.raises(ValidationError) as refusal:
        read_address(written, field="homepage")
    assert [(field, error.code) for field, errors in refusal.value.error_dict.items() for error in errors] == [
        ("homepage", code)
    ]
