// Package driver does with a real wal package of etcd what it is told on its standard input, one command in JSON a line,
// and answers each with one line of JSON: the other side of test/interop/wal-driver.ts, where commands and answers are
// described. Each folder beside this one has a program with the wal package of one version of etcd.
//
// Nothing is synced. A panic is an answer too.
package driver

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"os"
)

// Log is an open log.
type Log interface {
	Save(state *HardState, entries []Entry) error
	SaveSnapshot(snapshot Snapshot) error
	Cut() error
	Sync() error
	ReleaseLockTo(index uint64) error
	Close() error
	ReadAll() (metadata []byte, state HardState, entries []Entry, err error)
}

// Package is a wal package of etcd.
type Package interface {
	SetSegmentSize(size int64)
	Create(dir string, metadata []byte) (Log, error)
	Open(dir string, snapshot Snapshot, write bool) (Log, error)
	Verify(dir string, snapshot Snapshot) (*HardState, error)
	ValidSnapshots(dir string) ([]Snapshot, error)
	Repair(dir string) bool
	// Request parses the data of an entry as a server does before it applies it.
	Request(data []byte) Request
	// ConfChange parses the data of an entry that changes the membership.
	ConfChange(data []byte) error
}

// Request tells how the data of an entry was parsed: as a request of the v3 API, and if that failed as one of the v2 API,
// which 3.7 does not know.
type Request struct {
	V3Error   string `json:"v3Error,omitempty"`
	V2Error   string `json:"v2Error,omitempty"`
	HasID     bool   `json:"hasId,omitempty"`
	HasHeader bool   `json:"hasHeader,omitempty"`
	HasV2     bool   `json:"hasV2,omitempty"`
	Method    string `json:"method,omitempty"`
}

type command struct {
	Op          string     `json:"op"`
	Dir         string     `json:"dir"`
	Size        int64      `json:"size"`
	MetadataHex *Bytes     `json:"metadataHex"`
	HardState   *HardState `json:"hardState"`
	Entries     []Entry    `json:"entries"`
	Snapshot    *Snapshot  `json:"snapshot"`
	Index       U64        `json:"index"`
	Write       bool       `json:"write"`
	// The data of an entry.
	DataHex *Bytes `json:"dataHex"`
	// In the answer to the reading commands: all entries, not only what they come to.
	List bool `json:"list"`
	// Of each: do these one after the other, and answer with all answers.
	Commands []command `json:"commands"`
}

type answer struct {
	Error string `json:"error,omitempty"`
	Panic string `json:"panic,omitempty"`

	Metadata  *Bytes     `json:"metadata,omitempty"`
	State     *HardState `json:"state,omitempty"`
	Entries   *summary   `json:"entries,omitempty"`
	List      []Entry    `json:"list,omitempty"`
	Snapshots []Snapshot `json:"snapshots,omitempty"`
	Repaired  *bool      `json:"repaired,omitempty"`
	Request   *Request   `json:"request,omitempty"`
	Answers   []answer   `json:"answers,omitempty"`
}

// What entries come to: the digest is of term, index (8 bytes, little endian), type, length of the data (4 bytes) and data.
type summary struct {
	Count      int    `json:"count"`
	FirstIndex *U64   `json:"firstIndex,omitempty"`
	LastIndex  *U64   `json:"lastIndex,omitempty"`
	LastTerm   *U64   `json:"lastTerm,omitempty"`
	Sha256     string `json:"sha256"`
}

func summarize(entries []Entry) *summary {
	digest := sha256.New()
	for _, e := range entries {
		add(digest, e)
	}
	s := &summary{Count: len(entries), Sha256: hex.EncodeToString(digest.Sum(nil))}
	if len(entries) > 0 {
		first, last := entries[0], entries[len(entries)-1]
		s.FirstIndex = Pointer(Value(first.Index))
		s.LastIndex = Pointer(Value(last.Index))
		s.LastTerm = Pointer(Value(last.Term))
	}
	return s
}

func add(digest hash.Hash, e Entry) {
	var head [24]byte
	binary.LittleEndian.PutUint64(head[0:], Value(e.Term))
	binary.LittleEndian.PutUint64(head[8:], Value(e.Index))
	if e.Type != nil {
		binary.LittleEndian.PutUint32(head[16:], uint32(*e.Type))
	}
	binary.LittleEndian.PutUint32(head[20:], uint32(len(RawBytes(e.Data))))
	digest.Write(head[:])
	digest.Write(RawBytes(e.Data))
}

type session struct {
	wal Package
	// The log that create or open has opened for writing.
	log Log
}

func (s *session) read(c command, log Log, a *answer) error {
	metadata, state, entries, err := log.ReadAll()
	a.Metadata = WrapBytes(metadata)
	a.State = &state
	a.Entries = summarize(entries)
	if c.List {
		a.List = entries
	}
	return err
}

// Opens a log, reads it and closes it again, whatever happens.
func (s *session) readAll(c command, a *answer) error {
	log, err := s.wal.Open(c.Dir, c.snapshot(), c.Write)
	if err != nil {
		return err
	}
	defer closeQuietly(log)
	return s.read(c, log, a)
}

// A second panic would hide the first.
func closeQuietly(log Log) {
	defer func() { _ = recover() }()
	_ = log.Close()
}

func (c command) snapshot() Snapshot {
	if c.Snapshot == nil {
		return Snapshot{Index: Pointer(0), Term: Pointer(0)}
	}
	return *c.Snapshot
}

func (s *session) do(c command, a *answer) (err error) {
	switch c.Op {
	case "segmentSize":
		s.wal.SetSegmentSize(c.Size)
	case "create":
		s.log, err = s.wal.Create(c.Dir, RawBytes(c.MetadataHex))
	case "open":
		if s.log, err = s.wal.Open(c.Dir, c.snapshot(), true); err == nil {
			err = s.read(c, s.log, a)
		}
	case "readAllRead":
		c.Write = false
		err = s.readAll(c, a)
	case "readAllWrite":
		c.Write = true
		err = s.readAll(c, a)
	case "readAll":
		err = s.readAll(c, a)
	case "verify":
		a.State, err = s.wal.Verify(c.Dir, c.snapshot())
	case "validSnapshots":
		a.Snapshots, err = s.wal.ValidSnapshots(c.Dir)
	case "repair":
		repaired := s.wal.Repair(c.Dir)
		a.Repaired = &repaired
	case "request":
		request := s.wal.Request(RawBytes(c.DataHex))
		a.Request = &request
	case "confChange":
		err = s.wal.ConfChange(RawBytes(c.DataHex))
	case "each":
		for _, inner := range c.Commands {
			a.Answers = append(a.Answers, s.answer(inner))
		}
	case "save", "saveSnapshot", "cut", "sync", "release", "close":
		err = s.change(c)
	default:
		err = fmt.Errorf("unknown op %q", c.Op)
	}
	return err
}

func (s *session) change(c command) error {
	if s.log == nil {
		return fmt.Errorf("%s without an open log", c.Op)
	}
	switch c.Op {
	case "save":
		return s.log.Save(c.HardState, c.Entries)
	case "saveSnapshot":
		return s.log.SaveSnapshot(c.snapshot())
	case "cut":
		return s.log.Cut()
	case "sync":
		return s.log.Sync()
	case "release":
		return s.log.ReleaseLockTo(uint64(c.Index))
	}
	log := s.log
	s.log = nil
	return log.Close()
}

func (s *session) answer(c command) (a answer) {
	defer func() {
		if p := recover(); p != nil {
			a = answer{Panic: fmt.Sprint(p)}
		}
	}()
	if err := s.do(c, &a); err != nil {
		a.Error = err.Error()
	}
	return a
}

// Run answers commands until the input ends.
func Run(wal Package) {
	s := &session{wal: wal}
	input := json.NewDecoder(bufio.NewReaderSize(os.Stdin, 1<<20))
	output := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(output)
	for {
		var c command
		if err := input.Decode(&c); err == io.EOF {
			return
		} else if err != nil {
			fmt.Fprintln(os.Stderr, "drive-wal: command not understood:", err)
			os.Exit(1)
		}
		if err := encoder.Encode(s.answer(c)); err != nil {
			os.Exit(1)
		}
		if err := output.Flush(); err != nil {
			os.Exit(1)
		}
	}
}
