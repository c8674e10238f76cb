"""What each way to release a log keeps, against what it tells: on one log, and as the population grows.

`ways` lists the ways, `releasing` runs one, `measures` has the figures, `measuring` takes them; `population` makes up
logs of many users and `trend` counts in them; `picture` draws, and `page` writes it all down.
"""
