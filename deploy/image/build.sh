#!/bin/sh
# Builds the image with buildah, as `docker build` would, and without a Docker engine.
#
#   sh deploy/image/build.sh                      # on the base that the Dockerfile names
#   BASE=debian sh deploy/image/build.sh          # on a base made here from Debian's packages, where no image registry
#                                                 # can be reached: to try the Dockerfile, not to be deployed
#   IMAGE=registry.example.com/querymix:0.11.0 sh deploy/image/build.sh
#
# BASE=debian needs root. STORAGE=FOLDER keeps images apart from those of this machine; STORAGE_DRIVER=overlay is faster
# than vfs where the kernel allows it. What pip and cargo are told on this machine (index, certificates, wheels) they
# are told in the build too, and nothing of that stays in the image.
# Debian: apt-get install --no-install-recommends buildah debootstrap
set -eu
cd "$(dirname "$0")/../.."
: "${IMAGE:=querymix:0.11.0}" "${BASE:=registry}" "${STORAGE:=}"

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
base="$(sed -n 's/^ARG PYTHON=//p' deploy/Dockerfile)"

# This driver and the isolation below need nothing of the kernel, so that this runs inside of a container too.
: "${STORAGE_DRIVER:=vfs}"
export STORAGE_DRIVER
set --
if [ -n "$STORAGE" ]; then
  mkdir -p "$STORAGE/run"
  set -- --root "$STORAGE" --runroot "$STORAGE/run"
fi

make_base() { # a minimal Debian with its Python, laid out as in the image that it stands in for: pip in /usr/local
  mirror="$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)"
  debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates bookworm "$work/base" "$mirror" \
    >"$work/log" || { tail -n 5 "$work/log" >&2; exit 1; }
  chroot "$work/base" python3 -m venv /usr/local
  rm -rf "$work/base/var/cache/apt" "$work/base/var/lib/apt/lists"
  tar -C "$work/base" --exclude='./proc/*' --exclude='./sys/*' --exclude='./dev/*' -cf "$work/base.tar" .
  rm -rf "$work/base"
  printf 'FROM scratch\nADD base.tar /\nENV PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n' >"$work/Dockerfile"
  buildah "$@" build --isolation chroot --layers=false --quiet --tag "$base" "$work" >/dev/null
}

case "$BASE" in
  registry) pull=--pull ;;
  debian)
    pull=--pull-never
    base=localhost/querymix-base:bookworm
    buildah "$@" inspect --type image "$base" >/dev/null 2>&1 || make_base "$@"
    ;;
  *) echo "BASE: $BASE is none of registry, debian" >&2; exit 2 ;;
esac

# pip's settings, and the files and folders that they name, are mounted for the build alone.
printf '[global]\n' >"$work/pip.conf"
volumes=""
if command -v python3 >/dev/null; then
  index="$(python3 -m pip config get global.index-url 2>/dev/null || printf %s "${PIP_INDEX_URL:-}")"
  [ -z "$index" ] || printf 'index-url = %s\n' "$index" >>"$work/pip.conf"
fi
if [ -n "${PIP_CERT:-}" ]; then
  printf 'cert = %s\n' "$PIP_CERT" >>"$work/pip.conf"
  volumes="$volumes --volume $PIP_CERT:$PIP_CERT:ro"
fi
if [ -d "${PIP_FIND_LINKS:-}" ]; then
  printf 'find-links = %s\n' "$PIP_FIND_LINKS" >>"$work/pip.conf"
  volumes="$volumes --volume $PIP_FIND_LINKS:$PIP_FIND_LINKS:ro"
fi
# cargo's settings: its own file, or the same certificates.
cargo="${CARGO_HOME:-${HOME:-}/.cargo}/config.toml"
if [ -f "$cargo" ]; then
  cp "$cargo" "$work/cargo.toml"
else
  printf '%s\n' "${PIP_CERT:+http.cainfo = \"$PIP_CERT\"}" >"$work/cargo.toml"
fi

# The Docker format: in OCI's own a health check has no place.
# shellcheck disable=SC2086
buildah "$@" build --isolation chroot --layers=false --format docker "$pull" --file deploy/Dockerfile --build-arg "PYTHON=$base" \
  --volume "$work/pip.conf:/etc/pip.conf:ro" --volume "$work/cargo.toml:/root/.cargo/config.toml:ro" \
  $volumes --tag "$IMAGE" .
