"""What other programs follow a publication by: RSS, Atom and JSON feeds, and the sitemap."""
