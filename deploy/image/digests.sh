#!/bin/sh
# Writes into docker-compose.yml and deploy/Dockerfile the digest that the image registry has for each image's tag:
#   sh deploy/image/digests.sh && git diff
# It asks with skopeo (Debian's package), or else with docker. A tag that was built again has a new digest: give the
# command with each upgrade of a tag, and from time to time for the fixes of the base's own packages.
set -eu
cd "${ROOT:-$(dirname "$0")/../..}"

digest_of() {
  if command -v skopeo >/dev/null; then
    skopeo inspect --no-tags --format '{{.Digest}}' "docker://$1"
  else
    docker buildx imagetools inspect --format '{{.Manifest.Digest}}' "$1"
  fi
}

for file in docker-compose.yml deploy/Dockerfile; do
  # Our own image has no digest before it is built.
  for image in $(sed -nE 's/^( *image: |ARG PYTHON=)([^@ ]+).*/\2/p' "$file" | grep -v '^querymix:' | sort -u); do
    digest="$(digest_of "$image")"
    printf '%s' "$digest" | grep -Eqx 'sha256:[0-9a-f]{64}' || { echo "$image: no digest, but '$digest'" >&2; exit 1; }
    sed -i -E "s#((image: |ARG PYTHON=)$image)(@[^ ]*)?\$#\\1@$digest#" "$file"
    echo "$image@$digest"
  done
done
