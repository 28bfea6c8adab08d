// Writes large db files for benchmarks with the real bbolt, with records like those that etcd keeps for Kubernetes.
// It knows nothing of the file format. The same flags give the same records; where pages lie in a fragmented file
// differs from run to run, since bbolt takes free pages in the order of a Go map, as it does in etcd.
//
//	make-inputs -out dense-1G.db -size 1G -shape dense
//	make-inputs -out frag-2G-stored.db -size 2G -shape frag -freelist stored
//
// dense: records written one after the other, history kept, hardly a free page. frag: rounds of overwriting, each followed
// by a compaction in many small transactions, so that leaves lie scattered and many pages are free.
package main

import (
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"

	bolt "go.etcd.io/bbolt"
)

const (
	maxBatch         = 16 << 20 // bytes in a transaction; fewer in a small file
	compactionDelete = 400      // deletions in a transaction of a compaction
	rounds           = 4        // of a fragmented file
)

var buckets = []string{"alarm", "auth", "authRoles", "authUsers", "cluster", "key", "lease", "members", "members_removed", "meta"}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// item is a live key: where its last record is, and how often it was written.
type item struct {
	name                    []byte
	created, main, sub, ver uint64
}

// revision names a record of bucket key.
type revision struct{ main, sub uint64 }

func (r revision) key() []byte {
	b := binary.BigEndian.AppendUint64(nil, r.main)
	return binary.BigEndian.AppendUint64(append(b, '_'), r.sub)
}

type maker struct {
	rng     *rand.Rand
	pool    []byte // text that values are cut from
	db      *bolt.DB
	tx      *bolt.Tx
	key     *bolt.Bucket
	live    []item
	dead    []revision // superseded, in the order in which that happened
	rev     uint64
	bytes   int   // in this transaction
	batch   int   // most of them
	written int64 // bytes of records
}

func (m *maker) begin() {
	var err error
	m.tx, err = m.db.Begin(true)
	must(err)
	m.key = m.tx.Bucket([]byte("key"))
	m.key.FillPercent = 0.9 // as etcd does: revisions only grow
	m.bytes = 0
}

func (m *maker) commit() {
	must(m.tx.Bucket([]byte("meta")).Put([]byte("consistent_index"), binary.BigEndian.AppendUint64(nil, m.rev)))
	must(m.tx.Commit())
	m.begin()
}

// size of a value: many of some hundred bytes, few of 10 to 70 KB, some near 1 MB.
func (m *maker) size() int {
	between := func(low, high int) int { return low + m.rng.IntN(high-low) }
	switch u := m.rng.Float64(); {
	case u < 0.56:
		return between(250, 900)
	case u < 0.93:
		return between(800, 2200)
	case u < 0.99:
		return between(2000, 9000)
	case u < 0.9999:
		return between(10<<10, 70<<10)
	default:
		return between(700<<10, 1<<20)
	}
}

// record is etcd's KeyValue message: key 1, create revision 2, mod revision 3, version 4, value 5.
func (m *maker) record(it *item) []byte {
	n := m.size()
	from := m.rng.IntN(len(m.pool) - n)
	b := binary.AppendUvarint([]byte{0x0a}, uint64(len(it.name)))
	b = append(b, it.name...)
	b = binary.AppendUvarint(append(b, 0x10), it.created)
	b = binary.AppendUvarint(append(b, 0x18), it.main)
	b = binary.AppendUvarint(append(b, 0x20), it.ver)
	b = binary.AppendUvarint(append(b, 0x2a), uint64(n))
	return append(b, m.pool[from:from+n]...)
}

func (m *maker) put(it *item, sub uint64) {
	if it.ver == 0 {
		it.created = m.rev
	} else {
		m.dead = append(m.dead, revision{it.main, it.sub})
	}
	it.main, it.sub, it.ver = m.rev, sub, it.ver+1
	value := m.record(it)
	must(m.key.Put(revision{m.rev, sub}.key(), value))
	m.bytes += len(value)
	m.written += int64(len(value))
	if m.bytes >= m.batch {
		m.commit()
	}
}

func (m *maker) create() {
	kinds := []string{"pods", "events", "configmaps", "secrets", "endpointslices", "replicasets", "leases/kube-node-lease"}
	name := fmt.Sprintf("/registry/%s/ns-%02d/app-%010x-%05x", kinds[m.rng.IntN(len(kinds))], m.rng.IntN(90), m.rng.Uint64()>>24, m.rng.IntN(1<<20))
	m.rev++
	m.live = append(m.live, item{name: []byte(name)})
	m.put(&m.live[len(m.live)-1], 0)
}

func (m *maker) change() {
	switch n := m.rng.IntN(100); {
	case n < 18 || len(m.live) < 8:
		m.create()
	case n < 34: // a deletion leaves a tombstone
		i := m.rng.IntN(len(m.live))
		it := m.live[i]
		m.live[i] = m.live[len(m.live)-1]
		m.live = m.live[:len(m.live)-1]
		m.rev++
		m.dead = append(m.dead, revision{it.main, it.sub})
		must(m.key.Put(append(revision{m.rev, 0}.key(), 't'), append([]byte{0x0a, byte(len(it.name))}, it.name...)))
	default:
		m.rev++
		for sub := range uint64(1 + m.rng.IntN(2)) {
			m.put(&m.live[m.rng.IntN(len(m.live))], sub)
		}
	}
}

// compact removes all superseded records, in many small transactions.
func (m *maker) compact() {
	slices.SortFunc(m.dead, func(a, b revision) int { return slices.Compare([]uint64{a.main, a.sub}, []uint64{b.main, b.sub}) })
	for i, r := range m.dead {
		must(m.key.Delete(r.key()))
		if i%compactionDelete == compactionDelete-1 {
			m.commit()
		}
	}
	m.dead = nil
	m.commit()
}

func main() {
	out := flag.String("out", "", "the file to write; must not exist")
	wanted := flag.String("size", "256M", "of the file, about; K, M and G are powers of 1024")
	shape := flag.String("shape", "dense", "dense or frag")
	freelist := flag.String("freelist", "none", "none, as etcd on Linux writes, or stored")
	seed := flag.Uint64("seed", 1, "")
	flag.Parse()
	size, err := strconv.ParseInt((*wanted)[:len(*wanted)-1], 10, 64)
	must(err)
	size <<= map[byte]int{'K': 10, 'M': 20, 'G': 30}[(*wanted)[len(*wanted)-1]]
	if _, err := os.Stat(*out); err == nil {
		must(fmt.Errorf("%s is there already", *out))
	}

	kind := bolt.FreelistArrayType
	if *shape == "frag" {
		kind = bolt.FreelistMapType
	}
	db, err := bolt.Open(*out, 0o600, &bolt.Options{NoSync: true, NoGrowSync: true, NoFreelistSync: true, FreelistType: kind, InitialMmapSize: 10 << 30})
	must(err)
	must(db.Update(func(tx *bolt.Tx) error {
		for _, name := range buckets {
			if _, err := tx.CreateBucket([]byte(name)); err != nil {
				return err
			}
		}
		return nil
	}))
	m := &maker{rng: rand.New(rand.NewPCG(*seed, 1)), db: db, rev: 1, batch: int(min(maxBatch, max(256<<10, size/64)))}
	for len(m.pool) < 4<<20 {
		m.pool = fmt.Appendf(m.pool, `{"image":"registry.example/app-%05d:v1.%d","uid":"%016x"},`, m.rng.IntN(99999), m.rng.IntN(40), m.rng.Uint64())
	}
	m.begin()
	if *shape == "dense" {
		for m.tx.Size()+int64(m.bytes)*110/100 < size*3/10 {
			m.create()
		}
		for m.tx.Size()+int64(m.bytes)*110/100 < size {
			m.change()
		}
	} else {
		kept, perRound := size*37/100, size*29/100
		for m.written < kept {
			m.create()
		}
		for round := range int64(rounds) {
			for m.written < kept+perRound*(round+1) {
				m.change()
			}
			m.compact()
		}
	}
	m.commit()
	must(m.tx.Rollback())
	must(db.Sync())
	must(db.Close())
	if *freelist == "stored" { // a transaction that changes nothing writes the list
		db, err := bolt.Open(*out, 0o600, &bolt.Options{FreelistType: bolt.FreelistArrayType})
		must(err)
		must(db.Update(func(*bolt.Tx) error { return nil }))
		must(db.Close())
	}
	fmt.Printf("%s: revision %d, %d live keys\n", *out, m.rev, len(m.live))
}
