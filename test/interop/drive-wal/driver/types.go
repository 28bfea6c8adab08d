package driver

import (
	"encoding/hex"
	"encoding/json"
	"strconv"
)

// U64 is a 64-bit number: a decimal string in JSON, since JavaScript's numbers do not hold it.
type U64 uint64

func (u U64) MarshalJSON() ([]byte, error) {
	return json.Marshal(strconv.FormatUint(uint64(u), 10))
}

func (u *U64) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	v, err := strconv.ParseUint(s, 10, 64)
	*u = U64(v)
	return err
}

// Bytes are hex in JSON. Absent and empty are not the same.
type Bytes []byte

func (b Bytes) MarshalText() ([]byte, error) {
	return []byte(hex.EncodeToString(b)), nil
}

func (b *Bytes) UnmarshalText(text []byte) error {
	decoded, err := hex.DecodeString(string(text))
	*b = append(Bytes{}, decoded...)
	return err
}

// The messages, with presence: a field that is absent in JSON is nil.

type Entry struct {
	Type  *int32 `json:"type,omitempty"`
	Term  *U64   `json:"term,omitempty"`
	Index *U64   `json:"index,omitempty"`
	Data  *Bytes `json:"data,omitempty"`
}

type HardState struct {
	Term   *U64 `json:"term,omitempty"`
	Vote   *U64 `json:"vote,omitempty"`
	Commit *U64 `json:"commit,omitempty"`
}

type ConfState struct {
	Voters         []U64 `json:"voters"`
	Learners       []U64 `json:"learners"`
	VotersOutgoing []U64 `json:"votersOutgoing"`
	LearnersNext   []U64 `json:"learnersNext"`
	AutoLeave      *bool `json:"autoLeave,omitempty"`
}

type Snapshot struct {
	Index     *U64       `json:"index,omitempty"`
	Term      *U64       `json:"term,omitempty"`
	ConfState *ConfState `json:"confState,omitempty"`
}

// Value of a number that may be absent.
func Value(p *U64) uint64 {
	if p == nil {
		return 0
	}
	return uint64(*p)
}

// Pointer to a number that is there.
func Pointer(v uint64) *U64 {
	u := U64(v)
	return &u
}

// Raw gives a number of a message with presence.
func Raw(p *U64) *uint64 {
	if p == nil {
		return nil
	}
	v := uint64(*p)
	return &v
}

// Wrap gives a number with presence for JSON.
func Wrap(p *uint64) *U64 {
	if p == nil {
		return nil
	}
	return Pointer(*p)
}

func RawList(list []U64) []uint64 {
	var raw []uint64
	for _, v := range list {
		raw = append(raw, uint64(v))
	}
	return raw
}

func WrapList(raw []uint64) []U64 {
	list := []U64{}
	for _, v := range raw {
		list = append(list, U64(v))
	}
	return list
}

func WrapBytes(b []byte) *Bytes {
	if b == nil {
		return nil
	}
	wrapped := Bytes(b)
	return &wrapped
}

func RawBytes(b *Bytes) []byte {
	if b == nil {
		return nil
	}
	return *b
}
