"""The assistant for a real table: what is entered, understood, deduced and kept, without a screen.

:mod:`entries` says what an entry is, :mod:`grammar` reads and writes one as a line of words,
:mod:`session` keeps a list of them, :mod:`insight` tells what follows from it and :mod:`clash` what to
do where nothing can; :mod:`casefile` keeps it in a file, :mod:`exports` draws it. :mod:`clerk`
answers what is typed; :mod:`plain` is the face without a screen, and :mod:`command` the command.
"""
