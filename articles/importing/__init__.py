"""Brings a publication in files into the database: Markdown with front matter for articles, YAML for the rest.

The order of the work, a file for each step:

    fields       one mapping of a YAML file, key by key, with the line of everything that is wrong
    records      what the readers give: plain values, frozen
    people       bylines, accounts that approve, vendors
    catalogue    sections, rungs, sources, facts, installations, scenarios, pictures
    texts        an article: front matter and body
    reading      all of a folder, in one pass, with every problem; and whether what it names exists
    writing      the same into the database, through the services (standing, publishing: the parts of it)

Nothing up to `reading` touches the database.
"""
