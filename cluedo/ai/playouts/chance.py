"""Chance for compiled games: the very deals and dice of the Python engine, and a small generator for all else.

The engine draws a deal with ``random.Random`` generators that are seeded with words of a ``numpy.random.SeedSequence``
(see :mod:`cluedo.engine.deal`). :func:`seed_words` and :func:`deal` are those two, bit for bit, so that a compiled
experiment meets the same deals and rolls as any other of the same seed. The random choices of players come from
a generator of one word for each seat (:mod:`cluedo.ai.knowledge.kernels.common_kernels`).
"""

from __future__ import annotations

import numpy as np

from cluedo.ai.knowledge.kernels.common_kernels import GOLDEN, mixed, unit
from cluedo.ai.knowledge.kernels.compiled import compiled
from cluedo.ai.knowledge.kernels.programme import Ints, Words
from cluedo.ai.playouts import arrays as at
from cluedo.ai.playouts.arrays import BoardArrays, Rolls

__all__ = ["counted", "deal", "draw", "seed_words", "split"]

_MIDDLE = 397
_LOW = 0xFFFFFFFF


def _begun() -> Words:
    """The state from which every seeding by a key begins (``init_genrand(19650218)`` of the Mersenne Twister)."""
    state = [19650218]
    for k in range(1, at.TWISTER):
        state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + k) & _LOW)
    return np.array(state, dtype=np.uint32)


_BEGUN = _begun()


@compiled
def seed_words(entropy: Ints, first: int, words: Words) -> None:
    """Fill ``words`` (deals, words, 4): the 64-bit words of ``SeedSequence(seed, spawn_key=(deal,))``, low half first.

    ``entropy`` are the 32-bit words of the seed, the lowest first; the deals are those from ``first`` on, below 2**32.
    """
    size = max(4, entropy.shape[0]) + 1
    source = np.zeros(size, np.int64)
    source[: entropy.shape[0]] = entropy
    pool = np.zeros(4, np.int64)
    for deal in range(words.shape[0]):
        source[size - 1] = first + deal
        constant = 0x43B0D7E5
        for k in range(4):
            constant, pool[k] = _hashed(source[k], constant)
        for k in range(4):
            for to in range(4):
                if k != to:
                    constant, value = _hashed(pool[k], constant)
                    pool[to] = _joined(pool[to], value)
        for k in range(4, size):
            for to in range(4):
                constant, value = _hashed(source[k], constant)
                pool[to] = _joined(pool[to], value)
        constant = 0x8B51F9DD
        for k in range(2 * words.shape[1]):
            value = pool[k % 4] ^ constant
            constant = constant * 0x58F38DED & _LOW
            value = value * constant & _LOW
            words[deal, k // 2, k % 2] = value ^ value >> 16
            words[deal, k // 2, 2 + k % 2] = 0


@compiled
def _hashed(value: int, constant: int) -> tuple[int, int]:
    value ^= constant
    constant = constant * 0x931E8875 & _LOW
    value = value * constant & _LOW
    return constant, value ^ value >> 16


@compiled
def _joined(a: int, b: int) -> int:
    value = (0xCA01F9DD * a - 0x4973F715 * b) & _LOW
    return value ^ value >> 16


@compiled
def _seed(dice: Rolls, keys: Words) -> None:
    """Seed each stream like ``random.Random(key)``; ``keys`` (streams, 4) holds its words, the lowest first.

    They stand side by side, so that all are seeded in about the time of one.
    """
    state, count = dice.twisters, dice.twisters.shape[1]
    lengths = np.ones(count, np.int64)
    for s in range(count):
        dice.numbers[at.AT + s] = 0
        for k in range(1, keys.shape[1]):
            if keys[s, k]:
                lengths[s] = k + 1
        for k in range(at.TWISTER):
            state[k, s] = _BEGUN[k]
    turn = np.zeros(count, np.int64)
    k = 1
    for _ in range(at.TWISTER):
        for s in range(count):
            before = state[k - 1, s]
            mixed = np.uint32(np.uint32(before ^ (before >> 30)) * np.uint32(1664525))
            state[k, s] = np.uint32(state[k, s] ^ mixed) + keys[s, turn[s]] + turn[s]
            turn[s] = 0 if turn[s] + 1 == lengths[s] else turn[s] + 1
        k += 1
        if k == at.TWISTER:
            state[0] = state[at.TWISTER - 1]
            k = 1
    for _ in range(at.TWISTER - 1):
        for s in range(count):
            before = state[k - 1, s]
            mixed = np.uint32(np.uint32(before ^ (before >> 30)) * np.uint32(1566083941))
            state[k, s] = np.uint32(state[k, s] ^ mixed) - k
        k += 1
        if k == at.TWISTER:
            state[0] = state[at.TWISTER - 1]
            k = 1
    state[0] = 0x80000000


@compiled
def _word(dice: Rolls, s: int) -> int:
    """The next 32 bits; the state is renewed word by word, so that what is not drawn costs nothing."""
    state, k = dice.twisters, dice.numbers[at.AT + s]
    following = k + 1 if k + 1 < at.TWISTER else 0
    other = k + _MIDDLE if k + _MIDDLE < at.TWISTER else k + _MIDDLE - at.TWISTER
    y = (np.int64(state[k, s]) & 0x80000000) | (np.int64(state[following, s]) & 0x7FFFFFFF)
    y = np.int64(state[other, s]) ^ y >> 1 ^ (0x9908B0DF if y & 1 else 0)
    state[k, s] = y
    dice.numbers[at.AT + s] = following
    y ^= y >> 11
    y ^= y << 7 & 0x9D2C5680
    y ^= y << 15 & 0xEFC60000
    return int(y ^ y >> 18) & _LOW


@compiled
def draw(dice: Rolls, s: int, count: int) -> int:
    """``int(random.random() * count)``."""
    high = _word(dice, s) >> 5
    low = _word(dice, s) >> 6
    return int((high * 67108864.0 + low) / 9007199254740992.0 * count)


@compiled
def _below(dice: Rolls, s: int, count: int) -> int:
    """``random._randbelow(count)``, which ``random.shuffle`` draws from."""
    bits = 0
    while count >> bits:
        bits += 1
    value = _word(dice, s) >> 32 - bits
    while value >= count:
        value = _word(dice, s) >> 32 - bits
    return value


@compiled
def deal(board: BoardArrays, state: Ints, dice: Rolls, keys: Words) -> int:
    """Deal as :func:`cluedo.engine.deal.draw_deal` does; ``keys`` (1 + seats, 4) seed cards and dice. Who starts."""
    _seed(dice, keys)
    seats, rest = state[at.SEATS], dice.numbers[at.REST :]
    dice.numbers[at.DRAWN : at.DRAWN + seats] = 0
    first = 0
    for category in range(3):
        size = board.numbers[at.SUSPECTS + category]
        state[at.ENVELOPE + category] = first + draw(dice, 0, size)
        first += size
    count = 0
    for card in range(first):
        if card != state[at.ENVELOPE] and card != state[at.ENVELOPE + 1] and card != state[at.ENVELOPE + 2]:
            rest[count] = card
            count += 1
    for k in range(count - 1, 0, -1):
        other = _below(dice, 0, k + 1)
        rest[k], rest[other] = rest[other], rest[k]
    holder = draw(dice, 0, seats)
    state[at.HAND : at.HAND + seats] = 0
    for k in range(count):
        holder = holder + 1 if holder + 1 < seats else 0
        state[at.HAND + holder] |= 1 << rest[k]
    return _opening(board, dice, seats)


@compiled
def _opening(board: BoardArrays, dice: Rolls, seats: int) -> int:
    """The seat that rolls highest; those who tie roll again among themselves."""
    still = (1 << seats) - 1
    while still & (still - 1):
        best, highest = 0, 0
        for seat in range(seats):
            if still >> seat & 1:
                total = 0
                for _ in range(board.numbers[at.DICE]):
                    total += draw(dice, 0, board.numbers[at.SIDES]) + 1
                if total > highest:
                    best, highest = 0, total
                if total == highest:
                    best |= 1 << seat
        still = best
    seat = 0
    while not still >> seat & 1:
        seat += 1
    return seat


@compiled
def split(seed: np.uint64, number: int) -> np.uint64:
    """The seed of one purpose, by number, from a seed of many."""
    return mixed(seed + GOLDEN * np.uint64(number + 1))


@compiled
def counted(seed: np.uint64, number: int) -> float:
    """A number from 0 up to 1 that follows from a seed and a count: drawn in any order, it is the same."""
    return unit(split(seed, number))
