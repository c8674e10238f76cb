"""How many users had what: the crowd table, its file, and how it is counted from logs."""
