"""Markdown files with front matter, as Hugo, Jekyll, Docusaurus and Astro keep them."""
