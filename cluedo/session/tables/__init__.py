"""Tables: games of people in different places, from the invitation to the rematch, without any network.

:mod:`~cluedo.session.tables.online_table` is a table and who may do what at it;
:mod:`~cluedo.session.tables.seating` who sits at it; :mod:`~cluedo.session.tables.table_session` one game there;
:mod:`~cluedo.session.tables.scenes` what is seen on the board; :mod:`~cluedo.session.tables.showing` what one seat is
shown.
"""
