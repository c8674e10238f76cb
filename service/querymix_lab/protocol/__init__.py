"""The client-side protocol of the thesis, simulated: users who submit each other's queries over a social network.

`network` makes the friendships, `choice` each user's choice vector, `walk` sends the queries, `experiments` and `real`
measure what the search engine then knows, and `protocol_report` puts it beside the thesis' values.

Source: Erola 2013 (thesis), chapter 4.
"""
