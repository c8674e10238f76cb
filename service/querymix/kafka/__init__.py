"""The service on Kafka: the only folder that imports faust and aiokafka."""
