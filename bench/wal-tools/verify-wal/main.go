// The peer of `wal check`: etcd's own wal package on a directory.
//
//	verify-wal DIR             wal.Verify: every record's CRC, as etcd's own check of a log
//	verify-wal -do valid DIR   wal.ValidSnapshotEntries
//	verify-wal -do read DIR    wal.OpenForRead and ReadAll, which keeps all entries
package main

import (
	"flag"
	"fmt"
	"os"

	"go.etcd.io/etcd/server/v3/storage/wal"
	"go.etcd.io/etcd/server/v3/storage/wal/walpb"
	"go.uber.org/zap"
)

func main() {
	do := flag.String("do", "verify", "verify, valid or read")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	said, err := run(*do, flag.Arg(0))
	if err != nil {
		fmt.Fprintln(os.Stderr, "verify-wal:", err)
		os.Exit(1)
	}
	fmt.Println(said)
}

func run(do, dir string) (string, error) {
	logger := zap.NewNop()
	switch do {
	case "verify":
		state, err := wal.Verify(logger, dir, walpb.Snapshot{})
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("term %d, commit %d", state.Term, state.Commit), nil
	case "valid":
		snapshots, err := wal.ValidSnapshotEntries(logger, dir)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%d snapshots", len(snapshots)), nil
	case "read":
		log, err := wal.OpenForRead(logger, dir, walpb.Snapshot{})
		if err != nil {
			return "", err
		}
		defer log.Close()
		_, state, entries, err := log.ReadAll()
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%d entries, commit %d", len(entries), state.Commit), nil
	}
	return "", fmt.Errorf("-do %s is not known", do)
}
