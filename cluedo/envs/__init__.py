"""The game as an environment for learners, in the forms that their libraries expect.

- :mod:`cluedo.envs.cluedo_v0`: all seats learn, one after another (PettingZoo's AEC), over the referee.
- :mod:`cluedo.envs.learner`: one seat learns against levels (Gymnasium).
- :mod:`cluedo.envs.vector`: many compiled games at a time, by far the fastest.
- :mod:`cluedo.envs.openspiel`: the game ``python_cluedo``, with chance as an actor.

They share two things, which need numpy alone: what an action is (:mod:`cluedo.envs.acting`) and what a seat
observes (:mod:`cluedo.envs.observing`). The libraries are extras: ``cluedo[rl]`` and ``cluedo[openspiel]``. Nothing is
imported before one of these modules is.
"""
