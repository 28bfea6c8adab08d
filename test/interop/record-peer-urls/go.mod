module record-peer-urls

go 1.26

require (
	etcd34 v0.0.0
	etcd35 v0.0.0
	etcd36 v0.0.0
	etcd37 v0.0.0
)

// One program with the packages of four versions: each has a name of its own. The first is 3.4.13, which as a module has no better one.
replace (
	etcd34 => go.etcd.io/etcd v0.5.0-alpha.5.0.20200910180754-dd1b699fc489
	etcd35 => go.etcd.io/etcd/client/pkg/v3 v3.5.33
	etcd36 => go.etcd.io/etcd/client/pkg/v3 v3.6.14
	etcd37 => go.etcd.io/etcd/client/pkg/v3 v3.7.1
)
