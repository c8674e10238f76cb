"""The replay: sends a log at a rate that no slow system changes, and says what it owes.

A source gives records in order of time, an arrival process says when each is due, a sink takes them, and `run` drives:

    with open_logs(["log.tsv.gz"]) as source:
        async with KafkaSink("localhost:9092", "querylog.raw") as sink:
            report = await run(source, Steady(40_000), sink, watch=print)
"""
