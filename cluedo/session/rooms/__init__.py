"""Rooms: games of people in different places, from the invitation to the rematch, without any network.

:mod:`~cluedo.session.rooms.room` is a room and who may do what in it; :mod:`~cluedo.session.rooms.seating` who sits in
it; :mod:`~cluedo.session.rooms.scenes` what is seen on the board; :mod:`~cluedo.session.rooms.showing` what one seat is
shown.
"""
