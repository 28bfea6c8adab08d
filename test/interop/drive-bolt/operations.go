package main

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"

	bolt "go.etcd.io/bbolt"
)

// operation is one change, or one look, within a transaction: an Operation of test/support/writer-operations.ts.
type operation struct {
	Op string `json:"op"`
	// At is the bucket it is about, by the names from the top.
	At []string `json:"at"`
	// To is the bucket into which a bucket is moved.
	To       []string `json:"to"`
	Key      string   `json:"key"`
	Value    [2]int   `json:"value"`
	Sequence string   `json:"sequence"`
	Percent  float64  `json:"percent"`
}

var errNoBucket = errors.New("no such bucket")

// raw gives the bytes that a string of characters 0 to 255 stands for.
func raw(s string) []byte {
	out := make([]byte, 0, len(s))
	for _, r := range s {
		out = append(out, byte(r))
	}
	return out
}

// shown is the opposite of raw.
func shown(b []byte) string {
	out := make([]rune, len(b))
	for i, c := range b {
		out[i] = rune(c)
	}
	return string(out)
}

// valueOf gives length bytes that depend on the seed.
func valueOf(length, seed int) []byte {
	unit := []byte(strconv.Itoa(seed) + "-")
	return bytes.Repeat(unit, length/len(unit)+1)[:length]
}

// rootOf gives the bucket of top-level buckets, which a transaction hands out only through its cursor.
func rootOf(tx *bolt.Tx) *bolt.Bucket { return tx.Cursor().Bucket() }

// find gives the bucket of that path; nil if there is none.
func find(tx *bolt.Tx, path []string) *bolt.Bucket {
	b := rootOf(tx)
	for _, name := range path {
		if b = b.Bucket(raw(name)); b == nil {
			return nil
		}
	}
	return b
}

// apply gives "" when it was done, "e:" and the words of the error when not; what was read, for those that read.
func (op operation) apply(tx *bolt.Tx) string {
	result, err := op.run(tx)
	if err != nil {
		return "e:" + err.Error()
	}
	return result
}

func (op operation) run(tx *bolt.Tx) (string, error) {
	switch op.Op {
	case "create", "createIfMissing", "deleteBucket", "move":
		return "", op.runOnParent(tx)
	}
	b := find(tx, op.At)
	if b == nil {
		return "", errNoBucket
	}
	switch op.Op {
	case "put":
		return "", b.Put(raw(op.Key), valueOf(op.Value[0], op.Value[1]))
	case "delete":
		return "", b.Delete(raw(op.Key))
	case "cursorDelete":
		c := b.Cursor()
		if k, _ := c.Seek(raw(op.Key)); k == nil {
			return "", nil
		}
		return "", c.Delete()
	case "setSequence":
		n, err := strconv.ParseUint(op.Sequence, 10, 64)
		if err != nil {
			return "", err
		}
		return "", b.SetSequence(n)
	case "nextSequence":
		n, err := b.NextSequence()
		return strconv.FormatUint(n, 10), err
	case "fill":
		b.FillPercent = op.Percent
		return "", nil
	case "get":
		v := b.Get(raw(op.Key))
		if v == nil {
			return "none", nil
		}
		return fmt.Sprintf("%d:%d", len(v), crc32.ChecksumIEEE(v)), nil
	case "scan":
		count, sum := digest(b)
		return fmt.Sprintf("%d:%d", count, sum), nil
	}
	return "", fmt.Errorf("unknown operation %q", op.Op)
}

// runOnParent does what changes an element of the bucket that holds the bucket named.
func (op operation) runOnParent(tx *bolt.Tx) error {
	last := len(op.At) - 1
	parent, name := find(tx, op.At[:last]), raw(op.At[last])
	if parent == nil {
		return errNoBucket
	}
	switch op.Op {
	case "create":
		_, err := parent.CreateBucket(name)
		return err
	case "createIfMissing":
		_, err := parent.CreateBucketIfNotExists(name)
		return err
	case "deleteBucket":
		return parent.DeleteBucket(name)
	}
	target := find(tx, op.To)
	if target == nil {
		return errNoBucket
	}
	return parent.MoveBucket(name, target)
}
