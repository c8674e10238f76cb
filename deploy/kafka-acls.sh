#!/bin/sh
# Gives each role of querymix the rights that it needs, and no more. Nobody but the anonymizer reads the pools.
#
#   KAFKA_ACLS="kafka-acls.sh --bootstrap-server kafka:9093 --command-config admin.properties" sh deploy/kafka-acls.sh
#
# Users are named after the roles. Where one worker has all roles (--roles, the default), give one user all three:
#   CLASSIFIER=querymix ANONYMIZER=querymix PROFILER=querymix sh deploy/kafka-acls.sh
set -eu
: "${KAFKA_ACLS:=kafka-acls.sh --bootstrap-server localhost:9092}"
: "${PREFIX:=querylog}" "${GROUP:=querymix}"
: "${RAW_TOPIC:=$PREFIX.raw}"
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
topics() { # topics USER OPERATION NAME...: one call for all of them, since each starts a Java of its own
  user="$1" operation="$2"
  shift 2
  options=""
  for name in "$@"; do
    if [ "$name" = raw ]; then options="$options --topic $RAW_TOPIC"; else options="$options --topic $PREFIX.$name"; fi
  done
  # shellcheck disable=SC2086
  allow "$user" --operation "$operation" $options
}
transactions() { # transactions USER PREFIX
  allow "$1" --transactional-id "$2" --resource-pattern-type prefixed --operation Write --operation Describe
}

topics "$PRODUCER" Write raw

# Every worker looks all topics up when it starts, and checks their settings.
for user in "$CLASSIFIER" "$ANONYMIZER" "$PROFILER" "$OPERATOR"; do
  allow "$user" --topic "$PREFIX." --resource-pattern-type prefixed --operation Describe --operation DescribeConfigs
  case "$RAW_TOPIC" in
    "$PREFIX".*) ;;
    *) allow "$user" --topic "$RAW_TOPIC" --operation Describe --operation DescribeConfigs ;;
  esac
done

topics "$CLASSIFIER" Read raw positions
topics "$CLASSIFIER" Write positions classified deadletter
allow "$CLASSIFIER" --group "$GROUP-classifier" --operation Read
transactions "$CLASSIFIER" "$GROUP-raw-"

# positions: for what is lost before it is pooled. Its user runs querymix account and status too, since they read the pools.
topics "$ANONYMIZER" Read classified state positions periods
topics "$ANONYMIZER" Write state anonymized evidence deadletter periods
topics "$ANONYMIZER" Delete periods  # the keys of periods that are over
allow "$ANONYMIZER" --group "$GROUP" --operation Read
allow "$ANONYMIZER" --group "$GROUP-classifier" --operation Describe
transactions "$ANONYMIZER" "$GROUP-pools-"
transactions "$ANONYMIZER" "$GROUP-periods-"

topics "$PROFILER" Read evidence
topics "$PROFILER" Write deadletter
allow "$PROFILER" --group "$GROUP" --operation Read
transactions "$PROFILER" "$GROUP-profiles-"

# querymix topics create
allow "$SETUP" --topic "$PREFIX." --resource-pattern-type prefixed --operation Create --operation Describe \
  --operation DescribeConfigs

# querymix deadletter show and replay. `querymix topics accept` needs what the three roles may, and
# `querymix upgrade check` what they may read: run them as a user that has all of it.
topics "$OPERATOR" Read deadletter
topics "$OPERATOR" Write raw deadletter  # the latter where only some are put back
allow "$OPERATOR" --group "$GROUP-replay" --operation Read
transactions "$OPERATOR" "$GROUP-replay-"

topics "$CONSUMER" Read anonymized
allow "$CONSUMER" --group "$CONSUMER_GROUP" --operation Read
