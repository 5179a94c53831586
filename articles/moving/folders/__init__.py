"""Markdown files with front matter, of Hugo, Jekyll, Docusaurus and Astro, and as we export them ourselves."""

from articles.moving.folders.reading import read

__all__ = ["read"]
