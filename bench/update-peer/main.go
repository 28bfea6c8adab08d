// The peer of bench/update-ours.mjs: the same transactions through bbolt.
// usage: update-peer FILE TRANSACTIONS KEYS random|sequential [no-sync]
package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"strconv"
	"time"

	bolt "go.etcd.io/bbolt"
)

func main() {
	path, order := os.Args[1], os.Args[4]
	transactions, keys := number(os.Args[2]), number(os.Args[3])
	noSync := len(os.Args) > 5 && os.Args[5] == "no-sync"
	db, err := bolt.Open(path, 0o600, &bolt.Options{NoSync: noSync, PageSize: 4096})
	must(err)
	started := time.Now()
	value := make([]byte, 256)
	n := uint32(0)
	for range transactions {
		must(db.Update(func(tx *bolt.Tx) error {
			bucket, err := tx.CreateBucketIfNotExists([]byte("key"))
			if err != nil {
				return err
			}
			if order == "sequential" {
				bucket.FillPercent = 0.9
			}
			for range keys {
				key := make([]byte, 8)
				id := n
				if order == "random" {
					id = n * 2654435761
				}
				binary.BigEndian.PutUint32(key[4:], id)
				binary.LittleEndian.PutUint32(value, n)
				n++
				if err := bucket.Put(key, append([]byte(nil), value...)); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	elapsed := time.Since(started)
	must(db.Close())
	fmt.Printf("{\"seconds\":%.6f}\n", elapsed.Seconds())
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	must(err)
	return n
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
