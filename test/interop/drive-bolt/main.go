// Does with a real bbolt what it is told on its standard input, one command in JSON a line, and answers each with one
// line of JSON: the other side of test/interop/drive-bolt.ts, where commands and answers are described.
//
// One command holds a whole transaction, so that thousands of changes a second can be made through the pipe. Bytes
// (names, keys) are strings whose characters 0 to 255 stand for bytes.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	bolt "go.etcd.io/bbolt"
)

type command struct {
	Do string `json:"do"`

	// open
	Path            string `json:"path"`
	PageSize        int    `json:"pageSize"`
	NoFreelistSync  bool   `json:"noFreelistSync"`
	NoGrowSync      bool   `json:"noGrowSync"`
	InitialMmapSize int    `json:"initialMmapSize"`
	AllocSize       int    `json:"allocSize"`
	Freelist        string `json:"freelist"`

	// transaction
	Operations []operation `json:"operations"`
	Commit     bool        `json:"commit"`

	// begin, end, content
	Reader string `json:"reader"`
}

type answer struct {
	Error   string         `json:"error,omitempty"`
	Panic   string         `json:"panic,omitempty"`
	Results []string       `json:"results,omitempty"`
	Buckets []listedBucket `json:"buckets,omitempty"`
	Pages   []int          `json:"pages,omitempty"`
	Lines   []string       `json:"lines,omitempty"`
}

type driver struct {
	db      *bolt.DB
	readers map[string]*bolt.Tx
}

func (d *driver) open(c command) error {
	options := &bolt.Options{
		PageSize:        c.PageSize,
		NoSync:          true,
		NoFreelistSync:  c.NoFreelistSync,
		NoGrowSync:      c.NoGrowSync,
		InitialMmapSize: c.InitialMmapSize,
		FreelistType:    bolt.FreelistType(c.Freelist),
	}
	db, err := bolt.Open(c.Path, 0o600, options)
	if err != nil {
		return err
	}
	if c.AllocSize != 0 {
		db.AllocSize = c.AllocSize
	}
	d.db, d.readers = db, map[string]*bolt.Tx{}
	return nil
}

func (d *driver) close() error {
	for name := range d.readers {
		if err := d.end(name); err != nil {
			return err
		}
	}
	return d.db.Close()
}

func (d *driver) end(reader string) error {
	tx := d.readers[reader]
	delete(d.readers, reader)
	return tx.Rollback()
}

// transaction makes all changes, also after one has been refused, then commits or rolls back.
func (d *driver) transaction(c command) (results []string, err error) {
	tx, err := d.db.Begin(true)
	if err != nil {
		return nil, err
	}
	results = make([]string, len(c.Operations))
	for i, op := range c.Operations {
		results[i] = op.apply(tx)
	}
	if c.Commit {
		return results, tx.Commit()
	}
	return results, tx.Rollback()
}

// view calls read with the named open transaction, or with one of its own.
func (d *driver) view(reader string, read func(tx *bolt.Tx)) error {
	if reader != "" {
		read(d.readers[reader])
		return nil
	}
	return d.db.View(func(tx *bolt.Tx) error { read(tx); return nil })
}

func (d *driver) do(c command) (a answer) {
	defer func() {
		if r := recover(); r != nil {
			a = answer{Panic: fmt.Sprint(r)}
		}
	}()
	var err error
	switch c.Do {
	case "open":
		err = d.open(c)
	case "close":
		err = d.close()
	case "transaction":
		a.Results, err = d.transaction(c)
	case "begin":
		d.readers[c.Reader], err = d.db.Begin(false)
	case "end":
		err = d.end(c.Reader)
	case "content":
		err = d.view(c.Reader, func(tx *bolt.Tx) { a.Buckets = list(tx) })
	case "free":
		err = d.view("", func(tx *bolt.Tx) { a.Pages = freePages(tx) })
	case "check":
		err = d.view("", func(tx *bolt.Tx) {
			for problem := range tx.Check() {
				a.Lines = append(a.Lines, problem.Error())
			}
		})
	default:
		err = fmt.Errorf("unknown command %q", c.Do)
	}
	if err != nil {
		a.Error = err.Error()
	}
	return a
}

func main() {
	in := json.NewDecoder(bufio.NewReaderSize(os.Stdin, 1<<20))
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	reply := json.NewEncoder(out)
	var d driver
	for {
		var c command
		if err := in.Decode(&c); err == io.EOF {
			return
		} else if err != nil {
			panic(err)
		}
		if err := reply.Encode(d.do(c)); err != nil {
			panic(err)
		}
		if err := out.Flush(); err != nil {
			panic(err)
		}
	}
}
