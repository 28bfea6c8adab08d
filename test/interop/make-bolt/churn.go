package main

import (
	"fmt"
	"math/rand"
	"os"
	"time"

	bolt "go.etcd.io/bbolt"
)

// makeChurn keeps committing transactions of all sizes until its standard input is closed: what a checker meets that
// looks at the file of a running server. With grow the file becomes larger all the time, else deletions keep the balance.
func makeChurn(db *bolt.DB, r *rand.Rand, grow bool) {
	update(db, func(tx *bolt.Tx) { fill(tx, "key", r, 2000, 400) })
	fmt.Println("ready")
	done := make(chan bool)
	go func() {
		os.Stdin.Read(make([]byte, 1))
		close(done)
	}()
	next := 0
	for n := 0; ; n++ {
		select {
		case <-done:
			fmt.Println(n)
			return
		default:
		}
		update(db, func(tx *bolt.Tx) {
			key := bucketOf(tx, "key")
			key.FillPercent = 0.9
			for i := r.Intn(60); i >= 0; i-- {
				next++
				must(key.Put([]byte(fmt.Sprintf("rev/%012d", next)), bytesOf(r, r.Intn(2000))))
			}
			if r.Intn(20) == 0 {
				must(key.Put([]byte(fmt.Sprintf("rev/%012d", next)), bytesOf(r, r.Intn(40_000))))
			}
			if !grow && next > 1000 {
				thin(key, r, 4)
			}
			must(childOf(bucketOf(tx, "nested"), fmt.Sprintf("b%d", r.Intn(8))).Put([]byte("k"), bytesOf(r, r.Intn(3000))))
		})
		// Bursts, and pauses in which a check can get through.
		if r.Intn(4) == 0 {
			time.Sleep(time.Duration(r.Intn(40)) * time.Millisecond)
		}
	}
}
