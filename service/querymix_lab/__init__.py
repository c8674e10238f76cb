"""querymix_lab: measures querymix, attacks it, and compares it with offline methods."""
