"""Moving in from another system: what readers of exports give, what becomes of it, and how it is written.

    wordpress/, ghost/, folders/: read(path, options) -> Export   parses, refuses; no database
    planning: plan(export, …) -> Plan                             slugs, sections, bodies, notices; no database
    storing: store(plan, …) -> Report                             one short transaction, through the services

A reader knows one format and none of our rules; planning knows the rules and no format. `items.py` is what they share.
"""
