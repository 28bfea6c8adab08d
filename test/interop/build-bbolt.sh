#!/usr/bin/env bash
# Builds the real bbolt command of the given versions (default: 1.4.3 and 1.5.0) into .cache/peers/bbolt-VERSION, for the
# tests that compare with it, and .cache/peers/drive-bolt, a program that writes with bbolt 1.4.3 what a test tells it to.
# A version that is already there is kept. Nothing here is needed to use the package: where Go or its modules cannot be had,
# the script says so and still ends well, and those tests are skipped.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
out="$root/.cache/peers"
mkdir -p "$out"
[ $# -gt 0 ] || set -- 1.4.3 1.5.0

unavailable() { # what, reason
  echo "!! $1 not available: live comparisons will be skipped ($2)" >&2
}

build() { # version, empty directory to work in
  # Chained, because `set -e` has no effect inside a condition. The version is looked at again at the end: a wrong one
  # would make every comparison mean something else.
  cd "$2" &&
    export GOFLAGS=-mod=mod &&
    go mod init peer &&
    go get "go.etcd.io/bbolt@v$1" &&
    go build -o bbolt go.etcd.io/bbolt/cmd/bbolt &&
    go version -m bbolt | grep -E "go\.etcd\.io/bbolt[[:space:]]+v${1//./\\.}([[:space:]]|$)" &&
    mv bbolt "$out/bbolt-$1"
}

for version in "$@"; do
  if [ -x "$out/bbolt-$version" ]; then
    echo "bbolt $version: already built"
    continue
  fi
  if ! command -v go >/dev/null; then
    unavailable "bbolt $version" "no go command"
    continue
  fi
  work=$(mktemp -d)
  if (build "$version" "$work") >"$work.log" 2>&1; then
    echo "bbolt $version: built"
  else
    unavailable "bbolt $version" "$(tail -n 1 "$work.log")"
  fi
  rm -rf "$work" "$work.log"
done

# Always built, since its source is here and changes.
if ! command -v go >/dev/null; then
  unavailable drive-bolt "no go command"
elif message=$(cd "$root/test/interop/drive-bolt" && go build -o "$out/drive-bolt" . 2>&1); then
  touch "$out/drive-bolt"
  echo "drive-bolt: built"
else
  unavailable drive-bolt "$(tail -n 1 <<<"$message")"
fi
