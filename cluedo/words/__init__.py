"""What people and language models read: events, rules and positions as sentences. No terminal, no HTTP."""
