#!/usr/bin/env bash
# Makes the plain bolt fixtures anew: FIXTURES/bolt/* and FIXTURES/bolt-surgery/*.
# usage: make-fixtures.sh FIXTURES BBOLT [NAME…]     BBOLT: the bbolt 1.4.3 command; needs Go. NAME: only these.
# Go iterates over maps in random order, so most of these files come out with other page numbers each time.
# Afterwards record what bbolt says of them: see test/interop/record-bbolt.mjs.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd); fixtures=$(cd "$1" && pwd); bbolt=$2; shift 2
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
(cd "$here" && go build -o "$work/make-bolt" .)
wanted=" $* "
want() { [ "$wanted" = "  " ] || [[ "$wanted" == *" $1 "* ]]; }

store() { # store FOLDER: work/file.db becomes FOLDER/file.db.gz
  mkdir -p "$1"
  gzip -n9c "$work/file.db" >"$1/file.db.gz"
  sha256sum <"$work/file.db" | cut -d' ' -f1 >"$1/file.db.sha256"
  echo "$(basename "$1"): $(stat -c %s "$work/file.db") bytes, $(stat -c %s "$1/file.db.gz") gzipped"
}
make() { # make NAME KIND SEED PAGE_SIZE FREELIST SYNC [AFTER]
  local name=$1; shift
  want "$name" || return 0
  rm -f "$work/file.db"
  "$work/make-bolt" "$work/file.db" "$@" >"$work/content.json"
  store "$fixtures/bolt/$name"
  rm -f "$fixtures/bolt/$name"/content.json*
  cp "$work/content.json" "$fixtures/bolt/$name/content.json"
  if [ "$(stat -c %s "$work/content.json")" -gt 65536 ]; then gzip -n9 "$fixtures/bolt/$name/content.json"; fi
}
page_like() { # page_like TYPE MIN_ITEMS OVERFLOW(y|n): the first such page of work/source.db
  "$bbolt" pages "$work/source.db" | awk -v t="$1" -v n="$2" -v o="$3" '$2==t && $3>=n && (NF>3)==(o=="y") && !done {print $1; done=1}'
}
surgery() { # surgery NAME SOURCE EXPECTED VERB ARGUMENTS…   LEAF, BRANCH and OVERFLOW stand for pages of the source
  local name=$1 source=$2 expected=$3; shift 3
  want "$name" || return 0
  rm -f "$work/file.db" "$work/source.db"
  gzip -dc "$fixtures/bolt/$source/file.db.gz" >"$work/source.db"
  local command="$*"
  command=${command//OVERFLOW/$(page_like leaf 3 y)}
  command=${command//LEAF/$(page_like leaf 4 n)}
  command=${command//BRANCH/$(page_like branch 5 n)}
  (cd "$work" && "$bbolt" surgery $command --output file.db source.db) >"$work/words.txt" 2>&1 || { cat "$work/words.txt"; exit 1; }
  store "$fixtures/bolt-surgery/$name"
  printf '{\n "source": "bolt/%s",\n "command": "bbolt surgery %s --output file.db source.db",\n "expected": "%s"\n}\n' \
    "$source" "$command" "$expected" >"$fixtures/bolt-surgery/$name/surgery.json"
}

make bigfree-1024 bigfree 1 1024 array stored
make deep-4096 deep 1 4096 array none
make empty-4096 empty 1 4096 array stored
make inline-4096 inline 1 4096 array stored
make mixed-1024 mixed 3 1024 array stored
make mixed-4096-array mixed 1 4096 array stored
make mixed-4096-map-none mixed 2 4096 map none
make mixed-65536 mixed 4 65536 array stored
make nested-16384-none nested 2 16384 map none
make nested-4096 nested 1 4096 array stored
make overflow-4096 overflow 1 4096 array stored
for size in 512 1024 2048 4096 8192 16384 32768 65536; do
  make "shapes-$size-stored" shapes 1 $size array stored
  make "shapes-$size-none" shapes 2 $size map none
  make "fresh-$size" empty 1 $size array stored
done
make shapes-1000-stored shapes 3 1000 array stored
make fresh-1000 empty 1 1000 array stored
make shapes-1048576-stored shapes 4 1048576 array stored trim
make small-512-stored small 1 512 array stored trim
make small-512-none small 1 512 array none trim
make branch-overflow-4096 branch-overflow 1 4096 array stored
make branch-overflow-1024-none branch-overflow 2 1024 map none
make long-name-4096 long-name 1 4096 array stored
make levels-4096 levels 1 4096 array stored
make levels-512-none levels 1 512 array none
make edges-1024 edges 1 1024 array stored
make edges-4096-none edges 1 4096 map none
make sequences-4096 sequences 1 4096 array stored
make keys-4096 keys 1 4096 array stored
make backup-even-4096 shapes 5 4096 array stored backup-even
make backup-odd-4096 shapes 5 4096 array stored backup-odd
make backup-even-1024-none shapes 6 1024 map none backup-even
make backup-odd-1024-none shapes 6 1024 map none backup-odd
for ids in 509 510 511; do FREE_IDS=$ids make "free-ids-$ids-4096" free-ids 1 4096 array stored trim; done
for ids in 65534 65535 65536; do FREE_IDS=$ids make "free-ids-$ids-512" free-ids 1 512 array stored trim; done

surgery revert-meta-page mixed-1024 'healthy; both metas carry the older transaction' revert-meta-page
surgery revert-meta-page-none mixed-4096-map-none 'healthy; both metas carry the older transaction' revert-meta-page
surgery revert-meta-page-small small-512-stored 'healthy; both metas carry the older transaction' revert-meta-page
surgery meta-update-flags-0 mixed-1024 'healthy; flags of meta 0 are 4' meta update --meta-page 0 --fields pageSize:1024
surgery meta-update-flags-1 mixed-1024 'healthy; flags of meta 1 are 4' meta update --meta-page 1 --fields pageSize:1024
surgery freelist-abandon mixed-1024 'healthy; no freelist in either meta' freelist abandon
surgery freelist-abandon-small small-512-stored 'healthy; no freelist in either meta' freelist abandon
surgery freelist-rebuild mixed-4096-map-none 'healthy; a stored freelist in the newer meta only' freelist rebuild
surgery freelist-rebuild-small small-512-none 'healthy; a stored freelist in the newer meta only' freelist rebuild
surgery clear-page-leaf mixed-1024 'a leaf below a branch without elements' clear-page --pageId LEAF
surgery clear-page-branch mixed-1024 'a branch without elements, its children neither reachable nor free' clear-page --pageId BRANCH
surgery clear-elements-leaf-end mixed-1024 'a leaf of two elements with positions as for more' clear-page-elements --pageId LEAF --from-index 2 --to-index -1
surgery clear-elements-leaf-first mixed-1024 'a leaf whose branch key is smaller than its first key' clear-page-elements --pageId LEAF --from-index 0 --to-index 1
surgery clear-elements-leaf-overflow mixed-1024 'an overflow page, or more, neither reachable nor free' clear-page-elements --pageId OVERFLOW --from-index 1 --to-index -1
surgery clear-elements-branch-end mixed-1024 'children neither reachable nor free' clear-page-elements --pageId BRANCH --from-index 2 --to-index -1
surgery copy-page-leaf mixed-1024 'a leaf with the keys of another' copy-page --from-page LEAF --to-page OVERFLOW
