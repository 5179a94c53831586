"""Reading a publication from files: what comes out, and what is said of what cannot."""

from pathlib import Path

import pytest

from articles.importing.reading import FolderReading, read_publication, refuse_dangling

SAMPLE = Path(__file__).parents[2] / "sample"

SOURCE = "- {slug: a-page, title: A page, publisher: Somebody, dated: undated}\n"
CLAIM = "{value: 12, unit: kW, confidence: reported, source: a-page, chosen: true}"
FACT = f"- {{slug: a-fact, label: A fact, field: a_fact_kw, claims: [{CLAIM}]}}\n"
ARTICLE = "---\ntitle: Racks\nslug: racks\n---\n\nText.\n"


def read(folder: Path, **files: str) -> FolderReading:
    for name, text in {
        "sources.yaml": SOURCE,
        **{n.replace("__", "/").replace("_", "."): t for n, t in files.items()},
    }.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return read_publication(folder)


def test_the_sample_reads_without_a_refusal_and_names_nothing_that_it_lacks():
    reading = read_publication(SAMPLE)

    assert reading.refusals == ()
    assert refuse_dangling(reading.publication, lambda kind, slugs: []) == []
    assert reading.publication.counts() == {
        "sections": 6, "rungs": 5, "sources": 74, "devices": 29, "installations": 6, "facts": 20, "pictures": 3,
        "authors": 5, "people": 2, "vendors": 25, "scenarios": 6, "articles": 15,
    }  # fmt: skip
    assert len(reading.publication.devices.devices) == 27  # Two of them stand in both readers' files.
    assert len(reading.publication.slugs()["device"]) == 25


def test_every_section_and_rung_of_the_sample_has_an_article():
    articles = read_publication(SAMPLE).publication.articles

    assert {article.section for article in articles} == {
        "compute", "power", "cooling", "network", "storage", "facilities"
    }  # fmt: skip
    assert {article.rung for article in articles} == {"chip", "rack", "hall", "campus", "grid"}
    assert [article.slug for article in articles if article.corrections] == ["forty-kilowatts-in-forty-two-units"]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"sources_yaml": SOURCE.replace("title", "titel: A, title")}, ("sources.yaml", 1, "[0].titel", "unknown_key")),
        ({"sources_yaml": SOURCE + SOURCE}, ("sources.yaml", 2, "slug", "duplicate_slug")),
        ({"sources_yaml": "slug: a\n"}, ("sources.yaml", 1, "", "wrong_type")),
        ({"sources_yaml": "- a\n- [b\n"}, ("sources.yaml", 3, "", "bad_yaml")),
        ({"facts_yaml": FACT.replace(", chosen: true", "")}, ("facts.yaml", 1, "[0].claims", "chosen_once")),
        ({"facts_yaml": FACT.replace("12", "twelve")}, ("facts.yaml", 1, "[0].claims[0].value", "not_a_number")),
        ({"facts_yaml": FACT.replace("12", "'12'")}, ("facts.yaml", 1, "[0].claims[0].value", "wrong_type")),
        ({"facts_yaml": FACT + FACT.replace("a-fact", "b")}, None),
        ({"autors_yaml": "[]\n"}, ("autors.yaml", 1, "", "unknown_file")),
        ({"articles__racks_md": "Text.\n"}, ("articles/racks.md", 1, "", "no_front_matter")),
        ({"articles__racks_md": "---\ntitle: A\n"}, ("articles/racks.md", 1, "", "no_front_matter")),
        ({"articles__racks_md": "---\ntitle: A\n---\n"}, ("articles/racks.md", 2, "slug", "required")),
        (
            {"articles__racks_md": ARTICLE.replace("slug:", "slug: x\nslug:")},
            ("articles/racks.md", 4, "slug", "duplicate_key"),
        ),
        (
            {"articles__racks_md": ARTICLE.replace("---\n\n", "published: May\n---\n\n")},
            ("articles/racks.md", 4, "published", "not_a_day"),
        ),
        (
            {"images_yaml": "- {name: pump.svg, alt: A pump}\n"},
            ("images.yaml", 1, "[0].name", "kind_of_picture"),
        ),
        ({"images_yaml": "- {name: pump.png, alt: A pump}\n"}, ("images.yaml", 1, "[0].name", "no_file")),
        ({"images_yaml": "- {name: ../pump.png, alt: A pump}\n"}, ("images.yaml", 1, "[0].name", "not_a_name")),
        (
            {"vendors_yaml": "- {slug: a, name: A, description: B, role: vendor, sections: [power], homepage: 'http://a.example'}\n"},
            ("vendors.yaml", 1, "[0].homepage", "homepage_not_https"),
        ),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_file_line_and_field(tmp_path, files, expected):
    reading = read(tmp_path, **files)

    found = [(refusal.file, refusal.line, refusal.field, refusal.code) for refusal in reading.refusals]
    assert found == ([expected] if expected else [])


def test_all_mistakes_of_all_files_are_told_in_one_run(tmp_path):
    reading = read(tmp_path, facts_yaml=FACT.replace("a_fact_kw", "A"), articles__a_md="---\nslug: A!\n---\n")

    assert {(refusal.file, refusal.code) for refusal in reading.refusals} == {
        ("facts.yaml", "bad_slug"), ("articles/a.md", "bad_slug"), ("articles/a.md", "required"),
    }  # fmt: skip


def test_what_is_named_has_to_be_in_the_folder_or_there_already(tmp_path):
    fact = FACT.replace("field", "subject: {kind: device, slug: dgx}, field").replace(
        "a-page, chosen", "no-page, chosen"
    )
    publication = read(tmp_path, facts_yaml=fact).publication
    asked = {}

    def existing(kind, slugs):
        asked[kind] = set(slugs)
        return ["dgx"] if kind == "device" else []

    refusals = refuse_dangling(publication, existing)

    assert asked == {"device": {"dgx"}, "source": {"no-page"}}
    assert [(each.file, each.line, each.field, each.code) for each in refusals] == [
        ("facts.yaml", 1, "[0].claims[0].source", "dangling_source")
    ]
    assert "did you mean a-page" in refusals[0].message


def test_a_folder_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_publication(tmp_path / "nowhere")


def test_the_body_begins_below_the_front_matter_and_keeps_its_text(tmp_path):
    text = ARTICLE.replace("Text.\n", "## One\n\n- a\n\n---\n\nEnd.  \n\n\n")

    (article,) = read(tmp_path, articles__racks_md=text).publication.articles

    assert article.body == "## One\n\n- a\n\n---\n\nEnd.\n"
    assert article.body_line == 6
