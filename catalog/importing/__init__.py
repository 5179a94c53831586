"""Reads device, module and rack types from YAML files, and brings them into the catalogue.

The order of the work, a file for each step:

    finding     which files of a folder hold types, and which kind each holds
    documents   YAML text into nodes that keep their text and line
    schema      the library's own JSON schemas, compiled into checks with decimals
    checking    one node against one rule
    library     a document of the device-type library into a record
    systems     the file of accelerated systems into records with sourced claims (conflicts: its remarks)
    reading     all of it: every record and every problem of a path, in one pass

Nothing here up to `reading` touches Django's models or the database.
"""
