// Makes plain bolt files (not etcd's) with a real bbolt, in shapes etcd itself never writes, and prints what is in them.
//
// usage: make-bolt OUT KIND SEED PAGE_SIZE FREELIST(array|map) SYNC(stored|none) [AFTER]
//
// AFTER: `trim` cuts the file at the high water mark; `backup-even` and `backup-odd` replace it by what Tx.WriteTo
// gives at an even or odd transaction id.
//
// The JSON on stdout lists every bucket: path (hex of each name), sequence (a string above 2^53), number of plain keys,
// and sha256 over all its plain keys in order, each as u32le(length of key) key u32le(length of value) value.
package main

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math/rand"
	"os"
	"strconv"

	bolt "go.etcd.io/bbolt"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

type listed struct {
	Path     []string `json:"path"`
	Sequence any      `json:"sequence"`
	Keys     int      `json:"keys"`
	Sha256   string   `json:"sha256"`
}

func list(b *bolt.Bucket, path []string, out *[]listed) {
	h, n := sha256.New(), 0
	var children [][]byte
	must(b.ForEach(func(k, v []byte) error {
		if v == nil && b.Bucket(k) != nil {
			children = append(children, append([]byte{}, k...))
			return nil
		}
		for _, part := range [][]byte{k, v} {
			var size [4]byte
			binary.LittleEndian.PutUint32(size[:], uint32(len(part)))
			h.Write(size[:])
			h.Write(part)
		}
		n++
		return nil
	}))
	var sequence any = b.Sequence()
	if b.Sequence() > 1<<53 {
		sequence = strconv.FormatUint(b.Sequence(), 10)
	}
	*out = append(*out, listed{append([]string{}, path...), sequence, n, hex.EncodeToString(h.Sum(nil))})
	for _, k := range children {
		list(b.Bucket(k), append(path, hex.EncodeToString(k)), out)
	}
}

// newerMeta gives the meta structure with the larger transaction id, as it lies in the file.
func newerMeta(path string, pageSize int) []byte {
	file, err := os.Open(path)
	must(err)
	defer file.Close()
	metas := [2][]byte{make([]byte, 64), make([]byte, 64)}
	for i, meta := range metas {
		_, err = file.ReadAt(meta, int64(i*pageSize+16))
		must(err)
	}
	if binary.LittleEndian.Uint64(metas[1][48:]) > binary.LittleEndian.Uint64(metas[0][48:]) {
		return metas[1]
	}
	return metas[0]
}

func storedFreeIDs(path string, pageSize int) int {
	file, err := os.Open(path)
	must(err)
	defer file.Close()
	head := make([]byte, 24)
	_, err = file.ReadAt(head, int64(binary.LittleEndian.Uint64(newerMeta(path, pageSize)[32:]))*int64(pageSize))
	must(err)
	if count := int(binary.LittleEndian.Uint16(head[10:])); count < 0xffff {
		return count
	}
	return int(binary.LittleEndian.Uint64(head[16:]))
}

func backup(path string, options *bolt.Options, parity uint64) {
	db, err := bolt.Open(path, 0o600, options)
	must(err)
	for {
		tx, err := db.Begin(false)
		must(err)
		if uint64(tx.ID())%2 == parity {
			must(tx.CopyFile(path+".backup", 0o600))
			must(tx.Rollback())
			break
		}
		must(tx.Rollback())
		update(db, func(tx *bolt.Tx) { bucketOf(tx, "one-more-transaction") })
	}
	must(db.Close())
	must(os.Rename(path+".backup", path))
}

func main() {
	out, kind := os.Args[1], os.Args[2]
	seed, err := strconv.ParseInt(os.Args[3], 10, 64)
	must(err)
	pageSize, err := strconv.Atoi(os.Args[4])
	must(err)
	options := &bolt.Options{PageSize: pageSize, FreelistType: bolt.FreelistArrayType, NoFreelistSync: os.Args[6] == "none", NoSync: true}
	if os.Args[5] == "map" {
		options.FreelistType = bolt.FreelistMapType
	}
	after := ""
	if len(os.Args) > 7 {
		after = os.Args[7]
	}

	db, err := bolt.Open(out, 0o600, options)
	must(err)
	kinds[kind](db, rand.New(rand.NewSource(seed)))
	must(db.Close())
	switch after {
	case "trim":
		must(os.Truncate(out, int64(binary.LittleEndian.Uint64(newerMeta(out, pageSize)[40:]))*int64(pageSize)))
	case "backup-even":
		backup(out, options, 0)
	case "backup-odd":
		backup(out, options, 1)
	}

	// A new file of less than 4096 bytes cannot be opened again by bbolt; it has no buckets.
	buckets := []listed{}
	if info, err := os.Stat(out); err == nil && info.Size() >= 4096 {
		db, err = bolt.Open(out, 0o600, &bolt.Options{ReadOnly: true})
		must(err)
		must(db.View(func(tx *bolt.Tx) error {
			return tx.ForEach(func(name []byte, b *bolt.Bucket) error {
				list(b, []string{hex.EncodeToString(name)}, &buckets)
				return nil
			})
		}))
		must(db.Close())
	}
	enc := json.NewEncoder(os.Stdout)
	enc.SetIndent("", " ")
	must(enc.Encode(map[string]any{"kind": kind, "seed": seed, "pageSize": pageSize, "freelist": os.Args[5], "sync": os.Args[6], "after": after, "buckets": buckets}))
}
