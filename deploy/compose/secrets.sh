#!/bin/sh
# Makes the secrets that docker-compose.yml mounts, once; those that are there stay as they are.
# The folder is for its owner only. The files in it can be read by all, since each container has a user of its own.
set -eu
folder="$(cd "$(dirname "$0")" && pwd)/secrets"
chmod 700 "$folder"

put() { # put NAME CONTENT
  if [ ! -s "$folder/$1" ]; then
    printf '%s' "$2" >"$folder/$1"
    chmod 644 "$folder/$1"
    echo "made $folder/$1"
  fi
}

random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }

put mongodb_root_password "$(random)"
put mongodb_password "$(random)"
put mongodb_uri "mongodb://querymix:$(cat "$folder/mongodb_password")@mongodb:27017/?authSource=querymix"
put pseudonym_key "$(random)"
put grafana_password "$(random)"
for user in searchengine querymix-setup querymix-classifier querymix-anonymizer querymix-profiler querymix-operator analyst; do
  put "kafka_$user" "$(random)"
done
