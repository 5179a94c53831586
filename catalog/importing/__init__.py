"""Reads device, module and rack types from YAML files, and brings them into the catalogue.

The order of the work, a file for each step:

    finding     which files of a folder hold types, and which kind each holds
    documents   YAML text into nodes that keep their text and line
    schema      the library's own JSON schemas, compiled into checks with decimals
    checking    one node against one rule
    library     a document of the device-type library into a record (rules: what its schema cannot say)
    systems     the file of accelerated systems into records with sourced claims (conflicts: its remarks)
    reading     all of it: every record and every problem of a path, in one pass, without the database

    migrated    whether the database has its tables
    columns     what a record says, in the columns of the catalogue
    rows        which stored row a record is, and what of it is new, filled in or different
    claims      the same for its claims
    storing     the plan of it all, and its writing in one transaction
    report      what the command prints
    exporting   the way back, into the library's layout

What an import may do to what is stored: it adds records and claims and fills in what is unknown. What differs it tells,
and writes only when asked to (`--update`); then a claim takes the new value of its own source. It never empties a
column, never moves an address, and never touches which claim an editor chose or what an editor verified.
"""
