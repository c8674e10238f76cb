"""querymix: turns a web search engine's query log into one that can be released."""
