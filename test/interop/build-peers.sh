#!/usr/bin/env bash
# Brings the real programs that tests compare with into .cache/peers: the bbolt command of several versions, two etcd servers, an etcdutl,
# drive-bolt, a program that writes with bbolt 1.4.3 what a test tells it to, and drive-wal-VERSION, which does so with the wal
# packages of etcd. Arguments name other programs than these: bbolt-1.4.2 etcd-3.7.1 etcdutl-3.6.14, dumpdb-3.6.14 and dumplogs-3.6.14,
# which are etcd-dump-db and etcd-dump-logs (from 3.6 on). etcd-3.4 and etcdctl-3.4 come from Debian's packages etcd-server and etcd-client.
# One that is already there is kept. Nothing here is needed to use the package: where Go or its modules cannot be had, the script says so
# and still ends well, and those tests are skipped.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
out="$root/.cache/peers"
mkdir -p "$out"
[ $# -gt 0 ] || set -- bbolt-1.3.12 bbolt-1.4.3 bbolt-1.5.0 etcd-3.6.14 etcdutl-3.6.14 etcd-3.4 etcdctl-3.4

unavailable() { # what, reason
  echo "!! $1 not available: live comparisons will be skipped ($2)" >&2
}

build() { # name, module, package, version, empty directory to work in
  # Chained, because `set -e` has no effect inside a condition. The version is looked at again at the end: a wrong one
  # would make every comparison mean something else.
  cd "$5" &&
    export GOFLAGS=-mod=mod &&
    go mod init peer &&
    go get "$2@v$4" &&
    go build -o program "$3" &&
    go version -m program | grep -E "$2[[:space:]]+v${4//./\\.}([[:space:]]|$)" &&
    mv program "$out/$1"
}

from_debian() { # name, package, program, how it tells its version, empty directory to work in
  # 3.4 is no Go module that can be built; Debian has it as packages, which are unpacked and not installed.
  cd "$5" &&
    { apt-get download "$2" || { apt-get update && apt-get download "$2"; }; } &&
    dpkg -x "$2"_*.deb unpacked &&
    "unpacked/usr/bin/$3" $4 | grep -iE "^$3 version: ${1#*-}\\." &&
    mv "unpacked/usr/bin/$3" "$out/$1"
}

for name in "$@"; do
  case $name in
    etcd-3.4 | etcdctl-3.4)
      package=etcd-server program=etcd ask=--version
      [ "$name" = etcd-3.4 ] || package=etcd-client program=etcdctl ask=version
      work=$(mktemp -d)
      if [ -x "$out/$name" ]; then
        echo "$name: already there"
      elif (from_debian "$name" "$package" "$program" "$ask" "$work") >"$work.log" 2>&1; then
        echo "$name: unpacked"
      else
        unavailable "$name" "$(tail -n 1 "$work.log")"
      fi
      rm -rf "$work" "$work.log"
      continue
      ;;
    bbolt-*) module=go.etcd.io/bbolt package=go.etcd.io/bbolt/cmd/bbolt ;;
    etcd-*) module=go.etcd.io/etcd/server/v3 package=go.etcd.io/etcd/server/v3 ;;
    etcdutl-*) module=go.etcd.io/etcd/etcdutl/v3 package=go.etcd.io/etcd/etcdutl/v3 ;;
    dumpdb-*) module=go.etcd.io/etcd/v3 package=go.etcd.io/etcd/v3/tools/etcd-dump-db ;;
    dumplogs-*) module=go.etcd.io/etcd/v3 package=go.etcd.io/etcd/v3/tools/etcd-dump-logs ;;
    *) unavailable "$name" 'a name is bbolt-VERSION, etcd-VERSION, etcdutl-VERSION, dumpdb-VERSION or dumplogs-VERSION' && continue ;;
  esac
  if [ -x "$out/$name" ]; then
    echo "$name: already built"
    continue
  fi
  if ! command -v go >/dev/null; then
    unavailable "$name" "no go command"
    continue
  fi
  work=$(mktemp -d)
  if (build "$name" "$module" "$package" "${name#*-}" "$work") >"$work.log" 2>&1; then
    echo "$name: built"
  else
    unavailable "$name" "$(tail -n 1 "$work.log")"
  fi
  rm -rf "$work" "$work.log"
done

drive() { # name, folder in test/interop
  if ! command -v go >/dev/null; then
    unavailable "$1" "no go command"
  elif message=$(cd "$root/test/interop/$2" && go build -o "$out/$1" . 2>&1); then
    touch "$out/$1"
    echo "$1: built"
  else
    unavailable "$1" "$(tail -n 1 <<<"$message")"
  fi
}

# Always built, since their source is here and changes. The versions are those of their go.mod.
drive drive-bolt drive-bolt
drive drive-wal-3.5.33 drive-wal/v35
drive drive-wal-3.6.14 drive-wal/v36
drive drive-wal-3.7.1 drive-wal/v37
