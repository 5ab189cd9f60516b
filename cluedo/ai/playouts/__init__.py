"""Compiled games: the rules and some players on arrays, about twenty times as fast as the engine in Python.

Two uses, two modules:

- :mod:`cluedo.ai.playouts.batch` plays the games of an experiment from the deal: :class:`~.batch.CompiledTable`.
- :mod:`cluedo.ai.playouts.playing_out` plays on from the middle of a game: :class:`~.playing_out.Playouts` takes a
  :class:`~cluedo.engine.view.PlayerView` and deals that may be true, and tells who wins.

What a game is
    One row of whole numbers, a *state* (all offsets are in :mod:`cluedo.ai.playouts.arrays`), so that a thousand of
    them are a table, and one is copied by copying its row::

        scalars | pawns | weapons | by seat: suspect, used-up room, rolls, hand, size, ... | envelope | counts
                | seen (seat, holder) | may, has (seat, place) | clauses | deals that fit (seat, k, place)

    The first part is :class:`cluedo.engine.state.State`. The second is what the seats know, as masks of cards. What all
    of them heard (who passed on which cards, who showed one of which three, which accusations were wrong) stands there
    once; ``seen`` is what each seat knows by sight; ``may`` and ``has`` are each seat's notebook, which is brought up
    to date only when the seat has to decide; the deals that ``hard`` keeps prove to it what is possible. So an event
    costs no more than a few operations.

Who plays
    ``random``, ``easy``, ``medium`` and ``hard`` are the levels of these names: each choice comes from the same
    distribution, but of squares that are equally near, where pawns stand in the way, another may be taken. The
    ``blueprint`` is a note-taker with habits that can be set (:class:`~.players.Blueprint`), to stand for many kinds of
    opponents. Nobody sees more than a seat may know.

Chance
    From the deal on, deals and dice are those of the Python engine for the same seed, bit for bit, so that compiled and
    other experiments are paired. All else comes from a generator of one word for each seat. A seed fixes everything.

The same game
    Each game can give what happened, as a *trace*; tests have the referee play it to the same events and state.

Importing this package imports no numba; its modules do, and so does whoever asks for what is in them.
"""
