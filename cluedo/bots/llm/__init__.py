"""Language models as players: what they are told and asked, the talk with them, and what is kept of it."""
