package main

import (
	"encoding/binary"
	"hash/crc32"
	"strconv"

	bolt "go.etcd.io/bbolt"
)

// listedBucket is what is said of one bucket; the root bucket has an empty path.
type listedBucket struct {
	Path     []string `json:"path"`
	Sequence string   `json:"sequence"`
	Inline   bool     `json:"inline"`
	Keys     int      `json:"keys"`
	Crc      uint32   `json:"crc"`
}

// digest goes over all elements of the bucket, forward. Each goes into the checksum as u32le(length of key) key
// u32le(length of value) value; a bucket as the length 2^32-1, without its content.
func digest(b *bolt.Bucket) (count int, sum uint32) {
	var size [4]byte
	add := func(length uint32, part []byte) {
		binary.LittleEndian.PutUint32(size[:], length)
		sum = crc32.Update(crc32.Update(sum, crc32.IEEETable, size[:]), crc32.IEEETable, part)
	}
	c := b.Cursor()
	for k, v := c.First(); k != nil; k, v = c.Next() {
		add(uint32(len(k)), k)
		if v == nil {
			add(1<<32-1, nil)
		} else {
			add(uint32(len(v)), v)
		}
		count++
	}
	return count, sum
}

// list says it of all buckets: each, then those in it, in order of their names.
func list(tx *bolt.Tx) (out []listedBucket) {
	var add func(b *bolt.Bucket, path []string)
	add = func(b *bolt.Bucket, path []string) {
		count, sum := digest(b)
		// A copy: what is appended to the path further down would show in it.
		out = append(out, listedBucket{append([]string{}, path...), strconv.FormatUint(b.Sequence(), 10), b.Root() == 0, count, sum})
		must(b.ForEachBucket(func(k []byte) error {
			add(b.Bucket(k), append(path, shown(k)))
			return nil
		}))
	}
	add(rootOf(tx), nil)
	return out
}

// freePages gives the pages that bbolt holds to be free, or to become free when the last reader of them has gone.
func freePages(tx *bolt.Tx) (out []int) {
	for id := 2; ; id++ {
		page, err := tx.Page(id)
		must(err)
		if page == nil {
			return out
		}
		if page.Type == "free" {
			out = append(out, id)
		}
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
