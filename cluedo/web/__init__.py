"""Pages: the server with its pages, and the page that replays a game from a file."""
