"""Bots of others: programs in any language that play a seat in a process of their own, over lines of JSON."""
