// Writes a large log for benchmarks with etcd's own wal package, with requests like those that a Kubernetes API server makes.
// It knows nothing of the file format. The same flags give the same entries; segments are of the usual 64 MB.
//
//	make-wal -size 1G -out wal-1G
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/server/v3/storage/wal"
	"go.etcd.io/etcd/server/v3/storage/wal/walpb"
	"go.etcd.io/raft/v3/raftpb"
	"go.uber.org/zap"
)

const (
	node           = 0x8e9e05c52164694d
	clusterID      = 0xcdf818194e3a8c32
	snapshotEvery  = 10_000  // entries, as etcd 3.6 takes them
	electionEvery  = 150_000 // entries
	mostInOneSave  = 12      // entries
	bytesInOneSave = 1 << 20
)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "make-wal:", err)
		os.Exit(1)
	}
}

type maker struct {
	rng   *rand.Rand
	pool  []byte // text that values are cut from
	names [][]byte
	rev   int64
	id    uint64 // of requests
}

func (m *maker) between(low, high int) int { return low + m.rng.IntN(high-low) }

// value: most of some hundred bytes to 3 KB, few of 10 to 70 KB, some near 1 MB.
func (m *maker) value() []byte {
	var n int
	switch u := m.rng.Float64(); {
	case u < 0.54:
		n = m.between(250, 1000)
	case u < 0.92:
		n = m.between(900, 3000)
	case u < 0.99:
		n = m.between(2000, 9000)
	case u < 0.9999:
		n = m.between(10<<10, 70<<10)
	default:
		n = m.between(700<<10, 1<<20)
	}
	from := m.rng.IntN(len(m.pool) - n)
	return m.pool[from : from+n]
}

// guarded is how an API server writes: only if nobody else did since it last read the key.
func (m *maker) guarded(key []byte, op *etcdserverpb.RequestOp) *etcdserverpb.TxnRequest {
	return &etcdserverpb.TxnRequest{
		Compare: []*etcdserverpb.Compare{{
			Result: etcdserverpb.Compare_EQUAL, Target: etcdserverpb.Compare_MOD, Key: key,
			TargetUnion: &etcdserverpb.Compare_ModRevision{ModRevision: m.rev - m.rng.Int64N(m.rev)},
		}},
		Success: []*etcdserverpb.RequestOp{op},
		Failure: []*etcdserverpb.RequestOp{{Request: &etcdserverpb.RequestOp_RequestRange{RequestRange: &etcdserverpb.RangeRequest{Key: key}}}},
	}
}

func (m *maker) request() *etcdserverpb.InternalRaftRequest {
	m.rev++
	m.id++
	r := &etcdserverpb.InternalRaftRequest{Header: &etcdserverpb.RequestHeader{ID: m.id}}
	n := m.rng.IntN(100)
	if n < 18 || len(m.names) < 1000 {
		kinds := []string{"pods", "events", "configmaps", "secrets", "endpointslices", "replicasets", "leases/kube-node-lease"}
		m.names = append(m.names, fmt.Appendf(nil, "/registry/%s/ns-%02d/app-%010x-%05x", kinds[m.rng.IntN(len(kinds))], m.rng.IntN(90), m.rng.Uint64()>>24, m.rng.IntN(1<<20)))
	}
	key := m.names[m.rng.IntN(len(m.names))]
	put := func() *etcdserverpb.PutRequest { return &etcdserverpb.PutRequest{Key: key, Value: m.value()} }
	switch {
	case n == 99:
		r.LeaseGrant = &etcdserverpb.LeaseGrantRequest{ID: int64(m.rng.Uint64() >> 1), TTL: 3660}
	case n >= 91:
		r.Txn = m.guarded(key, &etcdserverpb.RequestOp{Request: &etcdserverpb.RequestOp_RequestDeleteRange{RequestDeleteRange: &etcdserverpb.DeleteRangeRequest{Key: key}}})
	case n >= 50:
		r.Put = put()
	default:
		r.Txn = m.guarded(key, &etcdserverpb.RequestOp{Request: &etcdserverpb.RequestOp_RequestPut{RequestPut: put()}})
	}
	return r
}

func main() {
	out := flag.String("out", "", "the directory to write; must not exist")
	wanted := flag.String("size", "1G", "of the entries' data; K, M and G are powers of 1024")
	seed := flag.Uint64("seed", 1, "")
	flag.Parse()
	size, err := strconv.ParseInt((*wanted)[:len(*wanted)-1], 10, 64)
	must(err)
	size <<= map[byte]int{'K': 10, 'M': 20, 'G': 30}[(*wanted)[len(*wanted)-1]]
	if _, err := os.Stat(*out); err == nil {
		must(fmt.Errorf("%s is there already", *out))
	}

	m := &maker{rng: rand.New(rand.NewPCG(*seed, 2)), rev: 1, id: 0x7587870b5b600}
	for len(m.pool) < 4<<20 {
		m.pool = fmt.Appendf(m.pool, `{"image":"registry.example/app-%05d:v1.%d","uid":"%016x"},`, m.rng.IntN(99999), m.rng.IntN(40), m.rng.Uint64())
	}
	metadata, err := (&etcdserverpb.Metadata{NodeID: node, ClusterID: clusterID}).Marshal()
	must(err)
	log, err := wal.Create(zap.NewNop(), *out, metadata)
	must(err)
	log.SetUnsafeNoFsync()

	state := raftpb.HardState{Term: 2, Vote: node}
	var pending []raftpb.Entry
	var pendingBytes int
	var index uint64
	var written int64
	var sinceSnapshot, sinceElection int
	take := func(data []byte) {
		index++
		pending = append(pending, raftpb.Entry{Term: state.Term, Index: index, Data: data})
		pendingBytes += len(data)
		written += int64(len(data))
		sinceSnapshot++
		sinceElection++
	}
	for written < size {
		if sinceElection >= electionEvery { // a new leader begins with an empty entry
			sinceElection = 0
			state.Term++
			take(nil)
		}
		data, err := m.request().Marshal()
		must(err)
		take(data)
		if len(pending) <= m.rng.IntN(mostInOneSave) && pendingBytes < bytesInOneSave && written < size {
			continue
		}
		state.Commit = index
		must(log.Save(state, pending))
		pending, pendingBytes = pending[:0], 0
		if sinceSnapshot >= snapshotEvery {
			sinceSnapshot = 0
			voters := &raftpb.ConfState{Voters: []uint64{node}}
			must(log.SaveSnapshot(walpb.Snapshot{Index: index, Term: state.Term, ConfState: voters}))
		}
	}
	must(log.Close())
	fmt.Printf("%s: %d entries, %d bytes of data, term %d\n", *out, index, written, state.Term)
}
