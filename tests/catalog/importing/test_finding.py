"""Which files are read, and what is said of the others."""

import os

import pytest

from catalog.importing.finding import find_files, shown


def make(root, *names):
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("a: 1\n")


def test_a_library_gives_its_three_kinds_and_says_what_it_passed(tmp_path):
    make(tmp_path, "device-types/A/x.yaml", "module-types/B/y.YML", "rack-types/C/z.yml")
    make(tmp_path, "schema/s.yaml", "tests/t.yaml", ".git/config.yaml", "README.md", "device-types/A/x.front.png")

    found = find_files(tmp_path)

    assert [(file.name, file.kind) for file in found.files] == [
        ("device-types/A/x.yaml", "device-types"),
        ("module-types/B/y.YML", "module-types"),
        ("rack-types/C/z.yml", "rack-types"),
    ]
    assert found.skipped == {"*.md": 1, "*.png": 1, ".git/": 1, "schema/": 1, "tests/": 1}


def test_any_other_folder_is_read_whole(tmp_path):
    make(tmp_path, "b.yaml", "deep/device-types/A/x.yaml", "deep/notes.txt")
    found = find_files(tmp_path)
    assert [(file.name, file.kind) for file in found.files] == [
        ("b.yaml", None),
        ("deep/device-types/A/x.yaml", "device-types"),
    ]


@pytest.mark.parametrize("path", ["device-types", "device-types/A", "device-types/A/x.yaml"])
def test_a_part_of_a_library_keeps_its_kind(tmp_path, path):
    make(tmp_path, "device-types/A/x.yaml")
    (file,) = find_files(tmp_path / path).files
    assert file.kind == "device-types"


def test_the_order_is_that_of_the_names(tmp_path):
    make(tmp_path, "device-types/J/MX304.yaml", "device-types/J/MX304-BASE.yaml", "device-types/A/z.yaml")
    assert [file.name for file in find_files(tmp_path).files] == [
        "device-types/A/z.yaml",
        "device-types/J/MX304-BASE.yaml",
        "device-types/J/MX304.yaml",
    ]


def test_links_lead_nowhere(tmp_path):
    make(tmp_path, "elsewhere/secret.yaml", "library/device-types/A/x.yaml")
    (tmp_path / "library/device-types/A/link.yaml").symlink_to(tmp_path / "elsewhere/secret.yaml")
    (tmp_path / "library/device-types/B").symlink_to(tmp_path / "elsewhere")
    os.mkfifo(tmp_path / "library/device-types/A/pipe.yaml")

    found = find_files(tmp_path / "library")

    assert [file.name for file in found.files] == ["device-types/A/x.yaml"]
    assert len(found.skipped) == 3


def test_a_path_that_is_not_there_is_said(tmp_path):
    with pytest.raises(FileNotFoundError):
        find_files(tmp_path / "nowhere")


def test_a_name_that_is_no_utf_8_can_be_printed():
    assert shown(os.fsdecode(b"b\xfcro.yaml")) == "b\\xfcro.yaml"
