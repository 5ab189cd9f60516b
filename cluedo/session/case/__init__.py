"""The assistant for a real table: what is entered, understood, deduced and kept, without a screen.

:mod:`setup` makes the table. :mod:`vocabulary`, :mod:`readings` and :mod:`grammar` read and write an entry as a line
of words; :mod:`case` keeps a list of them and what follows; :mod:`advising` says what to do, :mod:`doubts` what is
unlikely and :mod:`clash` what to do where entries contradict each other. :mod:`case_store` keeps a case in a file,
and :mod:`exports` draws it. :mod:`interpreter` answers what is typed, in the sentences of :mod:`telling`.
"""
