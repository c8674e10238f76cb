#!/bin/sh
# Run by the service `rights` of docker-compose.yml: a user for each file kafka_NAME among the secrets, with the password
# in it, and the rights of deploy/kafka-acls.sh. Given again, it sets the same again.
set -eu
: "${SECRETS:=/run/secrets}" "${TOOLS:=/opt/kafka/bin}" "${ACLS:=/kafka-acls.sh}"
server=127.0.0.1:9095
scratch="$(mktemp)"
trap 'rm -f "$scratch"' EXIT
for file in "$SECRETS"/kafka_*; do
  # By a file, since the command line is no place for a password.
  printf 'SCRAM-SHA-512=password=%s\n' "$(cat "$file")" >"$scratch"
  "$TOOLS/kafka-configs.sh" --bootstrap-server "$server" --alter --entity-type users \
    --entity-name "${file##*/kafka_}" --add-config-file "$scratch"
done
KAFKA_ACLS="$TOOLS/kafka-acls.sh --bootstrap-server $server" sh "$ACLS"
