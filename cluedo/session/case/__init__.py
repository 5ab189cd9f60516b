"""The assistant for a real table, without a screen: it reads entries, keeps them, and says what follows.

:mod:`setup` makes the table. :mod:`vocabulary`, :mod:`parses` and :mod:`grammar` read and write an entry as a line
of words. :mod:`case` keeps the entries and works out what follows; :mod:`contradictions` finds which entries cannot all
be true. :mod:`findings` puts news and contradictions into sentences, and :mod:`interpreter` answers what is typed.
:mod:`case_store` saves a case in a file; :mod:`exports` writes it as a picture, a page or tables.
"""
