"""Load tests: a deployment is driven, followed and measured, and what was found is reported.

A scenario (`scenario`) says what is sent, how fast, to what, and what must hold. `running` puts the parts together:
the deployment that is started or joined (`deployment`), the driver that sends (`driver`), the follower that reads what
comes out (`follower`), the watcher that samples lag, counters and processes (`watching`).
"""
