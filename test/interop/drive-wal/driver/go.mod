module drive-wal/driver

go 1.23
