"""Real servers without Docker: Apache Kafka in KRaft mode and a MongoDB-protocol server, on this machine.

For tests, benchmarks and trying things out; not for data that matters. Everything listens on 127.0.0.1 only, keeps
its data in a folder that the caller names, and dies with the process that started it.

    from deploy.local.kafka import LocalKafka
    from deploy.local.mongo import LocalMongo

    with LocalKafka(folder / "kafka") as kafka, LocalMongo(folder / "mongo") as mongo:
        ...  # kafka.bootstrap, mongo.uri
"""
