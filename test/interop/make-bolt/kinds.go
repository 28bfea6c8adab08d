package main

import (
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"strconv"

	bolt "go.etcd.io/bbolt"
)

// maker fills a new database. Some kinds also need the options to open it again.
type maker func(db *bolt.DB, r *rand.Rand)

var kinds = map[string]maker{
	"empty":           func(*bolt.DB, *rand.Rand) {},
	"nested":          makeNested,
	"inline":          makeInline,
	"mixed":           makeMixed,
	"deep":            makeDeep,
	"overflow":        func(db *bolt.DB, r *rand.Rand) { makeOverflow(db, r, 200_000) },
	"bigfree":         makeBigfree,
	"shapes":          makeShapes,
	"small":           makeSmall,
	"branch-overflow": makeBranchOverflow,
	"long-name":       makeLongName,
	"levels":          makeLevels,
	"edges":           makeEdges,
	"sequences":       makeSequences,
	"keys":            makeKeys,
	"free-ids":        makeFreeIDs,
	"churn":           func(db *bolt.DB, r *rand.Rand) { makeChurn(db, r, false) },
	"churn-grow":      func(db *bolt.DB, r *rand.Rand) { makeChurn(db, r, true) },
}

// bytesOf gives n bytes that compress well, so that fixtures stay small.
func bytesOf(r *rand.Rand, n int) []byte {
	unit := []byte(fmt.Sprintf("%06d-", r.Intn(1000000)))
	return bytes.Repeat(unit, n/len(unit)+1)[:n]
}

func bucketOf(tx *bolt.Tx, name string) *bolt.Bucket {
	b, err := tx.CreateBucketIfNotExists([]byte(name))
	must(err)
	return b
}

func childOf(b *bolt.Bucket, name string) *bolt.Bucket {
	child, err := b.CreateBucketIfNotExists([]byte(name))
	must(err)
	return child
}

func update(db *bolt.DB, change func(tx *bolt.Tx)) {
	must(db.Update(func(tx *bolt.Tx) error { change(tx); return nil }))
}

func fill(tx *bolt.Tx, name string, r *rand.Rand, count, maxValue int) *bolt.Bucket {
	b := bucketOf(tx, name)
	for i := 0; i < count; i++ {
		must(b.Put([]byte(fmt.Sprintf("%s/%08d", name, r.Intn(count*3))), bytesOf(r, r.Intn(maxValue+1))))
	}
	return b
}

// thin deletes about one plain key in n.
func thin(b *bolt.Bucket, r *rand.Rand, n int) {
	var drop [][]byte
	must(b.ForEach(func(k, v []byte) error {
		if v != nil && r.Intn(n) == 0 {
			drop = append(drop, bytes.Clone(k))
		}
		return nil
	}))
	for _, k := range drop {
		must(b.Delete(k))
	}
}

func nest(b *bolt.Bucket, r *rand.Rand, depth int) {
	must(b.SetSequence(uint64(r.Int63n(1 << 40))))
	for i := 0; i < 3+r.Intn(20); i++ {
		must(b.Put([]byte(fmt.Sprintf("k%03d", i)), bytesOf(r, r.Intn(200))))
	}
	if depth == 0 {
		return
	}
	for i := 0; i < 1+r.Intn(3); i++ {
		nest(childOf(b, fmt.Sprintf("bucket-%d-%d", depth, i)), r, depth-1)
	}
}

func makeNested(db *bolt.DB, r *rand.Rand) {
	for _, root := range []string{"alpha", "beta", "gamma\x00\xff"} {
		update(db, func(tx *bolt.Tx) { nest(bucketOf(tx, root), r, 5) })
	}
}

// makeInline: buckets just below and above the inline limit of 4096.
func makeInline(db *bolt.DB, r *rand.Rand) {
	update(db, func(tx *bolt.Tx) {
		for i := 0; i < 40; i++ {
			b := bucketOf(tx, fmt.Sprintf("b%03d", i))
			must(b.Put([]byte("k"), bytesOf(r, 32*i)))
			must(b.Put([]byte("empty"), nil))
		}
	})
}

// makeMixed: many transactions, many deletes: free pages, underfilled pages. (Deletes through the cursor's own bucket
// while iterating, which bolt leaves undefined; the result is a valid file all the same.)
func makeMixed(db *bolt.DB, r *rand.Rand) {
	for round := 0; round < 40; round++ {
		update(db, func(tx *bolt.Tx) {
			b := fill(tx, "mixed", r, 200, 600)
			c := b.Cursor()
			for k, _ := c.First(); k != nil; k, _ = c.Next() {
				if r.Intn(3) == 0 {
					must(b.Delete(bytes.Clone(k)))
				}
			}
			_, err := b.NextSequence()
			must(err)
		})
	}
}

// makeDeep: long keys, few per branch, so the tree is deep.
func makeDeep(db *bolt.DB, r *rand.Rand) {
	update(db, func(tx *bolt.Tx) {
		b := bucketOf(tx, "deep")
		for i := 0; i < 600; i++ {
			must(b.Put(append(bytesOf(r, 600+r.Intn(900)), []byte(strconv.Itoa(i))...), bytesOf(r, 30)))
		}
	})
}

// makeOverflow: values of many pages, keys up to the limit of 32768.
func makeOverflow(db *bolt.DB, r *rand.Rand, maxValue int) {
	for round := 0; round < 3; round++ {
		update(db, func(tx *bolt.Tx) {
			b := fill(tx, "overflow", r, 25, maxValue)
			must(b.Put(bytesOf(r, 32768-round), bytesOf(r, 10)))
		})
	}
}

// makeBigfree: more than 65535 free pages, so that the count field is not enough.
func makeBigfree(db *bolt.DB, r *rand.Rand) {
	update(db, func(tx *bolt.Tx) { fill(tx, "keep", r, 50, 50) })
	update(db, func(tx *bolt.Tx) {
		b := bucketOf(tx, "drop")
		for i := 0; i < 75; i++ {
			must(b.Put([]byte(fmt.Sprintf("%04d", i)), make([]byte, 900*db.Info().PageSize)))
		}
	})
	update(db, func(tx *bolt.Tx) { must(tx.DeleteBucket([]byte("drop"))) })
	update(db, func(tx *bolt.Tx) { fill(tx, "keep", r, 5, 50) })
}

// makeShapes: a bit of everything, in proportion to the page size: a tree of several levels (keys of a twelfth of a
// page), nested and inline buckets, values of several pages, and enough deletes to leave free pages.
func makeShapes(db *bolt.DB, r *rand.Rand) {
	page := db.Info().PageSize
	keySize, keys, rounds := max(page/12, 24), 160, 6
	if page > 1<<17 {
		keySize, keys, rounds = 30_000, 20, 1
	}
	for round := 0; round < rounds; round++ {
		update(db, func(tx *bolt.Tx) {
			tree := bucketOf(tx, "tree")
			for i := 0; i < keys/rounds*2; i++ {
				key := append([]byte(fmt.Sprintf("%06d/", r.Intn(keys*4))), bytesOf(r, keySize-r.Intn(keySize/2))...)
				must(tree.Put(key, bytesOf(r, r.Intn(page/8))))
			}
			thin(tree, r, 3)
			must(tree.SetSequence(uint64(round + 1)))

			large := bucketOf(tx, "large")
			must(large.Put([]byte(fmt.Sprintf("value-%d", r.Intn(4))), bytesOf(r, page+r.Intn(page*3))))
			must(large.Put([]byte(fmt.Sprintf("exact-%d", round)), bytesOf(r, page)))

			must(bucketOf(tx, "inline").Put([]byte(fmt.Sprintf("k%d", round)), bytesOf(r, page/64)))
			bucketOf(tx, "nothing")

			outer := bucketOf(tx, "outer")
			must(outer.Put([]byte("plain"), []byte("value")))
			must(childOf(outer, "inline").Put([]byte("k"), bytesOf(r, page/16)))
			paged := childOf(outer, "paged")
			for i := 0; i < 10; i++ {
				must(paged.Put([]byte(fmt.Sprintf("%04d", r.Intn(100))), bytesOf(r, page/10)))
			}
			must(childOf(paged, "inner").Put([]byte("deepest"), bytesOf(r, page/2)))
			childOf(paged, "nothing")
		})
	}
	update(db, func(tx *bolt.Tx) {
		must(bucketOf(tx, "large").Delete([]byte("exact-0")))
		thin(bucketOf(tx, "tree"), r, 6)
	})
}

// makeSmall: the same in as few bytes as can be, for tests that break every byte of it in turn.
func makeSmall(db *bolt.DB, r *rand.Rand) {
	update(db, func(tx *bolt.Tx) {
		tree := bucketOf(tx, "tree")
		for i := 0; i < 24; i++ {
			must(tree.Put(append([]byte(fmt.Sprintf("%02d/", i)), bytesOf(r, 70)...), bytesOf(r, 60)))
		}
		must(bucketOf(tx, "large").Put([]byte("value"), bytesOf(r, 1300)))
		outer := bucketOf(tx, "outer")
		must(childOf(outer, "in").Put([]byte("k"), []byte("v")))
		must(childOf(outer, "out").Put([]byte("k"), bytesOf(r, 150)))
		must(bucketOf(tx, "inline").Put([]byte("k"), []byte("v")))
	})
	update(db, func(tx *bolt.Tx) {
		tree := bucketOf(tx, "tree")
		must(tree.Put(append([]byte("02/"), bytesOf(r, 70)...), bytesOf(r, 60)))
		must(tree.SetSequence(7))
		must(tx.Bucket([]byte("outer")).Bucket([]byte("out")).SetSequence(3))
	})
}

// makeBranchOverflow: few, very long keys, so that branch pages run over several pages.
func makeBranchOverflow(db *bolt.DB, r *rand.Rand) {
	for round := 0; round < 2; round++ {
		update(db, func(tx *bolt.Tx) {
			b := bucketOf(tx, "long")
			for i := 0; i < 24; i++ {
				must(b.Put(append([]byte(fmt.Sprintf("%03d", r.Intn(900))), bytesOf(r, 32768-3-r.Intn(20000))...), bytesOf(r, 20)))
			}
			must(b.Put(append([]byte{'x', byte('0' + round)}, bytesOf(r, 32768-2)...), []byte("key of 32768 bytes")))
		})
	}
}

// makeLongName: bucket names are not limited to the 32768 bytes of a key.
func makeLongName(db *bolt.DB, r *rand.Rand) {
	update(db, func(tx *bolt.Tx) {
		b := bucketOf(tx, string(bytesOf(r, 40000)))
		must(b.Put([]byte("k"), []byte("v")))
		must(childOf(b, string(bytesOf(r, 50000))).Put([]byte("k"), bytesOf(r, 5000)))
		must(bucketOf(tx, "short").Put([]byte("k"), []byte("v")))
	})
}

// makeLevels: a hundred buckets, one inside the other.
func makeLevels(db *bolt.DB, r *rand.Rand) {
	update(db, func(tx *bolt.Tx) {
		b := bucketOf(tx, "level-000")
		for i := 1; ; i++ {
			must(b.Put([]byte("depth"), []byte(strconv.Itoa(i))))
			must(b.SetSequence(uint64(i)))
			if i == 100 {
				break
			}
			b = childOf(b, fmt.Sprintf("level-%03d", i))
		}
	})
}

// makeEdges: sizes just below, at and above what fits. A leaf of one key k takes 16+16+1 bytes besides its value.
func makeEdges(db *bolt.DB, r *rand.Rand) {
	page := db.Info().PageSize
	sizes := []int{0, 1}
	for _, whole := range []int{page / 4, page, 2 * page, 3 * page} {
		for _, d := range []int{-17, -16, -1, 0, 1, 15, 16, 17} {
			sizes = append(sizes, whole+d-33)
		}
	}
	update(db, func(tx *bolt.Tx) {
		for _, size := range sizes {
			must(bucketOf(tx, fmt.Sprintf("one-%06d", size)).Put([]byte("k"), bytesOf(r, size)))
		}
		for n := 1; n <= 5; n++ { // up to four elements stay on one page, whatever their size
			b := bucketOf(tx, fmt.Sprintf("huge-%d", n))
			for i := 0; i < n; i++ {
				must(b.Put([]byte(fmt.Sprintf("k%d", i)), bytesOf(r, 2*page+i)))
			}
		}
	})
	update(db, func(tx *bolt.Tx) { // out of line and back again
		b := bucketOf(tx, fmt.Sprintf("one-%06d", page-33))
		must(b.Put([]byte("k"), nil))
		must(tx.DeleteBucket([]byte("huge-3")))
	})
}

func makeSequences(db *bolt.DB, r *rand.Rand) {
	for i, n := range []uint64{0, 1, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1<<53 - 1, 1 << 53, 1<<53 + 1, 1<<63 - 1, 1 << 63, 1<<64 - 1} {
		update(db, func(tx *bolt.Tx) {
			b := bucketOf(tx, fmt.Sprintf("inline-%02d", i))
			must(b.SetSequence(n))
			b = bucketOf(tx, fmt.Sprintf("paged-%02d", i))
			must(b.SetSequence(n))
			must(b.Put([]byte("k"), bytesOf(r, db.Info().PageSize/2)))
			must(childOf(b, "child").SetSequence(n))
		})
	}
}

// makeKeys: keys that are hard to compare or to print.
func makeKeys(db *bolt.DB, r *rand.Rand) {
	hard := []string{
		"\x00", "\x00\x00", "\x00\xff", "\x01", "\t", "\n", "\r\n", " ", "  ", "\"quoted\"", "'single'", "\\", "\\x41", "%s%d", "a", "a\x00", "a\x00b", "a b",
		"aa", "aaa", "ab", "b", "\x7f", "\x80", "\xc2", "\xc2\xa0", "\xc2\xad", "\xc3\x28", "é", "e\u0301", "ß", "\u200b", "\u2028", "€", "日本語", "\ufeff", "\ufffd",
		"\xed\xa0\x80", "\U0001f600", "\U0010ffff", "\xf4\x90\x80\x80", "\xfe", "\xff", "\xff\x00", "\xff\xff", "\xff\xff\xff",
	}
	update(db, func(tx *bolt.Tx) {
		keys, values, names := bucketOf(tx, "keys"), bucketOf(tx, "values"), bucketOf(tx, "names")
		for i, k := range hard {
			must(keys.Put([]byte(k), []byte(strconv.Itoa(i))))
			must(values.Put([]byte(fmt.Sprintf("%02d", i)), []byte(k)))
			must(childOf(names, k).Put([]byte(k), []byte(k)))
		}
		prefixes := bucketOf(tx, "prefixes")
		for n := 1; n <= 300; n++ {
			must(prefixes.Put(bytes.Repeat([]byte{'p'}, n), nil))
			must(prefixes.Put(append(bytes.Repeat([]byte{'p'}, n), 0), []byte{byte(n)}))
		}
	})
}

// makeFreeIDs: exactly FREE_IDS page numbers in the stored freelist, which is written only once (so that the file
// compresses well). The number depends on how the pages fall, so it is found by trying.
func makeFreeIDs(db *bolt.DB, _ *rand.Rand) {
	want, err := strconv.Atoi(os.Getenv("FREE_IDS"))
	must(err)
	path, pageSize := db.Path(), db.Info().PageSize
	must(db.Close())
	for drop := want - 8; ; drop++ {
		must(os.Remove(path))
		open := func(noFreelistSync bool) *bolt.DB {
			again, err := bolt.Open(path, 0o600, &bolt.Options{PageSize: pageSize, NoSync: true, NoFreelistSync: noFreelistSync})
			must(err)
			return again
		}
		again := open(true)
		update(again, func(tx *bolt.Tx) {
			must(bucketOf(tx, "keep").Put([]byte("k"), make([]byte, pageSize/2)))
			b := bucketOf(tx, "drop")
			for left := drop; left > 0; left -= 30000 {
				must(b.Put([]byte(fmt.Sprintf("%08d", left)), make([]byte, min(left, 30000)*pageSize-40)))
			}
		})
		update(again, func(tx *bolt.Tx) { must(tx.DeleteBucket([]byte("drop"))) })
		must(again.Close())
		must(open(false).Close())
		if got := storedFreeIDs(path, pageSize); got == want {
			break
		} else if got > want {
			panic(fmt.Sprintf("%d free ids cannot be reached: %d comes next", want, got))
		}
	}
}
