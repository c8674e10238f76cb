"""The embedded runner: files or standard input to files or standard output, with no servers."""
