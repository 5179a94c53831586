"""Export files of WordPress, made for a test."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

HEAD = """<?xml version="1.0" encoding="UTF-8" ?>
<rss version="2.0"
	xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"
	xmlns:content="http://purl.org/rss/1.0/modules/content/"
	xmlns:dc="http://purl.org/dc/elements/1.1/"
	xmlns:wp="http://wordpress.org/export/1.2/"
>
<channel>
	<title>Old site</title>
	<link>{site}</link>
	<wp:wxr_version>1.2</wp:wxr_version>
	<wp:base_site_url>{site}</wp:base_site_url>
	<wp:base_blog_url>{site}</wp:base_blog_url>
"""
AUTHOR = (
    "\t<wp:author><wp:author_login>{login}</wp:author_login><wp:author_email>{email}</wp:author_email>"
    "<wp:author_display_name>{name}</wp:author_display_name></wp:author>\n"
)
ITEM = """	<item>
		<title><![CDATA[{title}]]></title>
		<link>{site}/{slug}/</link>
		<dc:creator><![CDATA[{author}]]></dc:creator>
		<content:encoded><![CDATA[{body}]]></content:encoded>
		<excerpt:encoded><![CDATA[{dek}]]></excerpt:encoded>
		<wp:post_id>{id}</wp:post_id>
		<wp:post_date><![CDATA[2020-01-02 04:04:05]]></wp:post_date>
		<wp:post_date_gmt><![CDATA[2020-01-02 03:04:05]]></wp:post_date_gmt>
		<wp:post_name><![CDATA[{slug}]]></wp:post_name>
		<wp:status><![CDATA[{status}]]></wp:status>
		<wp:post_parent>0</wp:post_parent>
		<wp:post_type><![CDATA[{kind}]]></wp:post_type>
		<wp:post_password><![CDATA[]]></wp:post_password>
{more}	</item>
"""


@dataclass
class Post:
    """A post. `more` is XML of its own."""

    id: int
    body: str = "<p>Words.</p>"
    title: str = ""
    slug: str = ""
    status: str = "publish"
    author: str = "mlind"
    dek: str = ""
    kind: str = "post"
    more: str = ""

    def xml(self, site: str) -> str:
        slug = self.slug or f"post-{self.id}"
        values = vars(self) | {"slug": slug, "title": self.title or f"Post {self.id}", "site": site}
        return ITEM.format(**values)


def write_wxr(
    path: Path,
    posts: Iterable[Post],
    *,
    site: str = "https://old.example",
    authors: Iterable[tuple[str, str, str]] = (("mlind", "Maja Lind", "maja@old.example"),),
) -> Path:
    """Write an export file and return its path. `authors` are login, name and e-mail."""
    with path.open("w", encoding="utf-8") as file:
        file.write(HEAD.format(site=site))
        file.writelines(AUTHOR.format(login=login, name=name, email=email) for login, name, email in authors)
        file.writelines(post.xml(site) for post in posts)
        file.write("</channel>\n</rss>\n")
    return path


def attachment(number: int, file: str, alt: str = "") -> Post:
    """Return the entry of an uploaded file."""
    meta = {"_wp_attached_file": file, "_wp_attachment_image_alt": alt}
    return Post(
        number,
        body="",
        kind="attachment",
        status="inherit",
        more="".join(
            f"\t\t<wp:postmeta><wp:meta_key>{key}</wp:meta_key><wp:meta_value>{value}</wp:meta_value></wp:postmeta>\n"
            for key, value in meta.items()
        ),
    )


def category(slug: str, domain: str = "category") -> str:
    return f'\t\t<category domain="{domain}" nicename="{slug}"><![CDATA[{slug.title()}]]></category>\n'
