#!/bin/sh
# Gives each role of querymix the rights that it needs, and no more.
#
#   KAFKA_ACLS="kafka-acls.sh --bootstrap-server kafka:9093 --command-config admin.properties" sh deploy/kafka-acls.sh
#
# Users are named after the roles. Where one worker has all roles (--roles, the default), give one user all three:
#   CLASSIFIER=querymix ANONYMIZER=querymix PROFILER=querymix sh deploy/kafka-acls.sh
set -eu
: "${KAFKA_ACLS:=kafka-acls.sh --bootstrap-server localhost:9092}"
: "${PREFIX:=querylog}" "${GROUP:=querymix}"
: "${PRODUCER:=searchengine}" "${CLASSIFIER:=querymix-classifier}" "${ANONYMIZER:=querymix-anonymizer}"
: "${PROFILER:=querymix-profiler}" "${SETUP:=querymix-setup}" "${OPERATOR:=querymix-operator}"
: "${CONSUMER:=analyst}" "${CONSUMER_GROUP:=analyst}"

allow() { # allow USER OPTION...
  user="$1"
  shift
  # KAFKA_ACLS is a command and its options.
  # shellcheck disable=SC2086
  $KAFKA_ACLS --add --force --allow-principal "User:$user" "$@"
}
topic() { # topic USER NAME OPERATION...
  user="$1" name="$2"
  shift 2
  options=""
  for operation in "$@"; do options="$options --operation $operation"; done
  # shellcheck disable=SC2086
  allow "$user" --topic "$PREFIX.$name" $options
}
transactions() { # transactions USER PREFIX
  allow "$1" --transactional-id "$2" --resource-pattern-type prefixed --operation Write --operation Describe
}

topic "$PRODUCER" raw Write Describe

# Every worker looks all topics up when it starts, and checks their settings.
for user in "$CLASSIFIER" "$ANONYMIZER" "$PROFILER" "$OPERATOR"; do
  allow "$user" --topic "$PREFIX." --resource-pattern-type prefixed --operation Describe --operation DescribeConfigs
done

topic "$CLASSIFIER" raw Read
topic "$CLASSIFIER" positions Read Write
topic "$CLASSIFIER" classified Write
topic "$CLASSIFIER" deadletter Write
allow "$CLASSIFIER" --group "$GROUP-classifier" --operation Read
transactions "$CLASSIFIER" "$GROUP-raw-"

topic "$ANONYMIZER" classified Read
topic "$ANONYMIZER" state Read Write
topic "$ANONYMIZER" anonymized Write
topic "$ANONYMIZER" evidence Write
topic "$ANONYMIZER" deadletter Write
allow "$ANONYMIZER" --group "$GROUP" --operation Read
transactions "$ANONYMIZER" "$GROUP-pools-"

topic "$PROFILER" evidence Read
topic "$PROFILER" deadletter Write
allow "$PROFILER" --group "$GROUP" --operation Read
transactions "$PROFILER" "$GROUP-profiles-"

# querymix topics create
allow "$SETUP" --topic "$PREFIX." --resource-pattern-type prefixed --operation Create --operation Describe \
  --operation DescribeConfigs

# querymix deadletter show and replay, querymix account. `querymix topics accept` needs what the three roles may, and
# `querymix upgrade check` what they may read: run them as a user that has all of it.
topic "$OPERATOR" deadletter Read
topic "$OPERATOR" raw Write
topic "$OPERATOR" state Read
topic "$OPERATOR" positions Read
allow "$OPERATOR" --group "$GROUP-replay" --operation Read
transactions "$OPERATOR" "$GROUP-replay-"

topic "$CONSUMER" anonymized Read Describe
allow "$CONSUMER" --group "$CONSUMER_GROUP" --operation Read
