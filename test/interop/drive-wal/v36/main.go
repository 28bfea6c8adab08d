// The wal package of etcd 3.6, driven by driver.Run.
package main

import (
	"drive-wal/driver"
	_ "unsafe" // for go:linkname

	"go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/server/v3/storage/wal"
	"go.etcd.io/etcd/server/v3/storage/wal/walpb"
	"go.etcd.io/raft/v3/raftpb"
	"go.uber.org/zap"
)

// A cut is not exported.
//
//go:linkname cut go.etcd.io/etcd/server/v3/storage/wal.(*WAL).cut
func cut(w *wal.WAL) error

type log struct{ *wal.WAL }

type walPackage struct{}

func main() { driver.Run(walPackage{}) }

func (walPackage) SetSegmentSize(size int64) { wal.SegmentSizeBytes = size }

func (walPackage) Create(dir string, metadata []byte) (driver.Log, error) {
	return wrap(wal.Create(zap.NewNop(), dir, metadata))
}

func (walPackage) Open(dir string, s driver.Snapshot, write bool) (driver.Log, error) {
	if write {
		return wrap(wal.Open(zap.NewNop(), dir, snapshot(s)))
	}
	w, err := wal.OpenForRead(zap.NewNop(), dir, snapshot(s))
	if err != nil {
		return nil, err
	}
	return log{w}, nil
}

func wrap(w *wal.WAL, err error) (driver.Log, error) {
	if err != nil {
		return nil, err
	}
	w.SetUnsafeNoFsync()
	return log{w}, nil
}

func (walPackage) Verify(dir string, s driver.Snapshot) (*driver.HardState, error) {
	state, err := wal.Verify(zap.NewNop(), dir, snapshot(s))
	if state == nil {
		return nil, err
	}
	wrapped := wrapState(*state)
	return &wrapped, err
}

func (walPackage) ValidSnapshots(dir string) ([]driver.Snapshot, error) {
	found, err := wal.ValidSnapshotEntries(zap.NewNop(), dir)
	var list []driver.Snapshot
	for _, s := range found {
		wrapped := driver.Snapshot{Index: driver.Pointer(s.Index), Term: driver.Pointer(s.Term)}
		if c := s.ConfState; c != nil {
			wrapped.ConfState = &driver.ConfState{
				Voters:         driver.WrapList(c.Voters),
				Learners:       driver.WrapList(c.Learners),
				VotersOutgoing: driver.WrapList(c.VotersOutgoing),
				LearnersNext:   driver.WrapList(c.LearnersNext),
				AutoLeave:      &c.AutoLeave,
			}
		}
		list = append(list, wrapped)
	}
	return list, err
}

func (walPackage) Repair(dir string) bool { return wal.Repair(zap.NewNop(), dir) }

func (walPackage) Request(data []byte) (r driver.Request) {
	var v3 etcdserverpb.InternalRaftRequest
	if err := v3.Unmarshal(data); err != nil {
		r.V3Error = err.Error()
		var v2 etcdserverpb.Request
		if err := v2.Unmarshal(data); err != nil {
			r.V2Error = err.Error()
		}
		r.Method = v2.Method
		return r
	}
	r.HasID, r.HasHeader, r.HasV2 = v3.ID != 0, v3.Header != nil, v3.V2 != nil
	if r.HasV2 {
		r.Method = v3.V2.Method
	}
	return r
}

func (walPackage) ConfChange(data []byte) error {
	var change raftpb.ConfChange
	return change.Unmarshal(data)
}

func (l log) Cut() error { return cut(l.WAL) }

func (l log) Save(state *driver.HardState, entries []driver.Entry) error {
	var list []raftpb.Entry
	for _, e := range entries {
		entry := raftpb.Entry{Term: driver.Value(e.Term), Index: driver.Value(e.Index), Data: driver.RawBytes(e.Data)}
		if e.Type != nil {
			entry.Type = raftpb.EntryType(*e.Type)
		}
		list = append(list, entry)
	}
	var raw raftpb.HardState
	if state != nil {
		raw.Term, raw.Vote, raw.Commit = driver.Value(state.Term), driver.Value(state.Vote), driver.Value(state.Commit)
	}
	return l.WAL.Save(raw, list)
}

func (l log) SaveSnapshot(s driver.Snapshot) error { return l.WAL.SaveSnapshot(snapshot(s)) }

func (l log) ReadAll() ([]byte, driver.HardState, []driver.Entry, error) {
	metadata, state, entries, err := l.WAL.ReadAll()
	var list []driver.Entry
	for _, e := range entries {
		kind := int32(e.Type)
		list = append(list, driver.Entry{
			Type:  &kind,
			Term:  driver.Pointer(e.Term),
			Index: driver.Pointer(e.Index),
			Data:  driver.WrapBytes(e.Data),
		})
	}
	return metadata, wrapState(state), list, err
}

func snapshot(s driver.Snapshot) walpb.Snapshot {
	raw := walpb.Snapshot{Index: driver.Value(s.Index), Term: driver.Value(s.Term)}
	if c := s.ConfState; c != nil {
		raw.ConfState = &raftpb.ConfState{
			Voters:         driver.RawList(c.Voters),
			Learners:       driver.RawList(c.Learners),
			VotersOutgoing: driver.RawList(c.VotersOutgoing),
			LearnersNext:   driver.RawList(c.LearnersNext),
			AutoLeave:      c.AutoLeave != nil && *c.AutoLeave,
		}
	}
	return raw
}

func wrapState(s raftpb.HardState) driver.HardState {
	return driver.HardState{
		Term:   driver.Pointer(s.Term),
		Vote:   driver.Pointer(s.Vote),
		Commit: driver.Pointer(s.Commit),
	}
}
