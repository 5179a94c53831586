"""What every part of the GraphQL API shares: limits, errors, and reads that cost a fixed number of statements.

An app exports a class `Query` from `<app>/graphql/queries.py`; `config/schema.py` merges them.
"""
