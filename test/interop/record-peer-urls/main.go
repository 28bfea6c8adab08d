// Records what etcd of four versions does with peer URLs, lists of them and values of --initial-cluster, and what Go's URL parser
// does, for the inputs of corpus.go; and what etcdutl of three versions says to the flags of a restore. In this folder:
//
//	go run . ../../../.cache/peers ../../../fixtures/example.db | gzip -9n > ../../../fixtures/peer-urls.json.gz
//
// The first argument is the folder of etcdutl-3.5.33, etcdutl-3.6.14 and etcdutl-3.7.1 (test/interop/build-peers.sh), the second a snapshot.
package main

import (
	"bytes"
	"encoding/json"
	"log"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"

	types34 "etcd34/pkg/types"
	types35 "etcd35/types"
	types36 "etcd36/types"
	types37 "etcd37/types"
)

// An answer is what came out, or the words of the error. etcd looks at the members of a map in any order: where several are wrong
// there are several words.
type answer struct {
	Out   any      `json:"out,omitempty"`
	Error []string `json:"error,omitempty"`
}

type recording struct {
	In any `json:"in"`
	answer
	// Old is the answer of 3.4 where it is another one.
	Old *answer `json:"3.4,omitempty"`
}

// A bootstrap is a restore with these flags, and what etcdutl of each version says.
type bootstrap struct {
	Name       string `json:"name"`
	Cluster    string `json:"cluster"`
	Advertised string `json:"advertised"`
	Token      string `json:"token"`
	// By minor version, the cluster id and the member ids of the log that was made, or the words of the error.
	Answers map[string]answer `json:"answers"`
}

func main() {
	peers, snapshot := os.Args[1], os.Args[2]
	file := struct {
		Go         string      `json:"go"`
		Versions   []string    `json:"versions"`
		Parsed     []recording `json:"parsed"`
		Lists      []recording `json:"lists"`
		Clusters   []recording `json:"clusters"`
		Bootstraps []bootstrap `json:"bootstraps"`
	}{Go: runtime.Version(), Versions: []string{"3.4.13", "3.5.33", "3.6.14", "3.7.1"}}
	for _, text := range urls() {
		file.Parsed = append(file.Parsed, recording{In: text, answer: parse(text)})
		file.Lists = append(file.Lists, compare([]string{text}, lists[:], []string{text}))
	}
	for _, texts := range urlLists {
		file.Lists = append(file.Lists, compare(texts, lists[:], texts))
	}
	for _, text := range clusterTexts() {
		file.Clusters = append(file.Clusters, compare(text, clusters[:], text))
	}
	for _, given := range bootstraps {
		given.Answers = map[string]answer{}
		for _, version := range []string{"3.5.33", "3.6.14", "3.7.1"} {
			given.Answers[version[:3]] = restore(filepath.Join(peers, "etcdutl-"+version), snapshot, given)
		}
		file.Bootstraps = append(file.Bootstraps, given)
	}
	write(file)
}

// Each recording on a line of its own, so that a change can be read.
func write(file any) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(file); err != nil {
		log.Fatal(err)
	}
	lines := regexp.MustCompile(`(\[|\},)(\{"(?:in|name)":)`).ReplaceAllString(text.String(), "$1\n$2")
	os.Stdout.WriteString(regexp.MustCompile(`\],("(?:lists|clusters|bootstraps)":)`).ReplaceAllString(lines, "],\n$1"))
}

func parse(text string) answer {
	parsed, err := url.Parse(text)
	if err != nil {
		return failed(err)
	}
	return answer{Out: parsed.String()}
}

var lists = [...]func([]string) answer{
	func(texts []string) answer {
		urls, err := types34.NewURLs(texts)
		return listed(urls.StringSlice(), err)
	},
	func(texts []string) answer {
		urls, err := types35.NewURLs(texts)
		return listed(urls.StringSlice(), err)
	},
	func(texts []string) answer {
		urls, err := types36.NewURLs(texts)
		return listed(urls.StringSlice(), err)
	},
	func(texts []string) answer {
		urls, err := types37.NewURLs(texts)
		return listed(urls.StringSlice(), err)
	},
}

var clusters = [...]func(string) answer{
	func(text string) answer {
		cluster, err := types34.NewURLsMap(text)
		return mapped(cluster, cluster.String(), err)
	},
	func(text string) answer {
		cluster, err := types35.NewURLsMap(text)
		return mapped(cluster, cluster.String(), err)
	},
	func(text string) answer {
		cluster, err := types36.NewURLsMap(text)
		return mapped(cluster, cluster.String(), err)
	},
	func(text string) answer {
		cluster, err := types37.NewURLsMap(text)
		return mapped(cluster, cluster.String(), err)
	},
}

func failed(err error) answer { return answer{Error: []string{err.Error()}} }

func listed(urls []string, err error) answer {
	if err != nil {
		return failed(err)
	}
	return answer{Out: urls}
}

type cluster struct {
	Members map[string][]string `json:"members"`
	Text    string              `json:"text"`
}

func mapped[List interface{ StringSlice() []string }](members map[string]List, text string, err error) answer {
	if err != nil {
		return failed(err)
	}
	result := cluster{Members: map[string][]string{}, Text: text}
	for name, urls := range members {
		result.Members[name] = urls.StringSlice()
	}
	return answer{Out: result}
}

// The answers of all versions; those after 3.4 must agree.
func compare[In any](shown any, versions []func(In) answer, input In) recording {
	answers := make([]answer, len(versions))
	for i, version := range versions {
		answers[i] = version(input)
		for range 100 {
			answers[i].Error = append(answers[i].Error, version(input).Error...)
		}
		slices.Sort(answers[i].Error)
		answers[i].Error = slices.Compact(answers[i].Error)
	}
	if !reflect.DeepEqual(answers[1], answers[2]) || !reflect.DeepEqual(answers[2], answers[3]) {
		log.Fatalf("the versions after 3.4 differ: %v", shown)
	}
	result := recording{In: shown, answer: answers[3]}
	if !reflect.DeepEqual(answers[0], answers[3]) {
		result.Old = &answers[0]
	}
	return result
}

func restore(program, snapshot string, given bootstrap) answer {
	work, err := os.MkdirTemp("", "restore")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(work)
	command := exec.Command(program, "snapshot", "restore", snapshot, "--data-dir", filepath.Join(work, "made"),
		"--name", given.Name, "--initial-cluster", given.Cluster, "--initial-advertise-peer-urls", given.Advertised,
		"--initial-cluster-token", given.Token)
	output, err := command.CombinedOutput()
	if err != nil {
		lines := strings.Split(strings.TrimSpace(string(output)), "\n")
		return answer{Error: []string{strings.TrimPrefix(lines[len(lines)-1], "Error: ")}}
	}
	clusterID := regexp.MustCompile(`"cluster-id": "([0-9a-f]+)"`).FindSubmatch(output)
	ids := []string{string(clusterID[1])}
	for _, match := range regexp.MustCompile(`"added-peer-id": "([0-9a-f]+)"`).FindAllSubmatch(output, -1) {
		ids = append(ids, string(match[1]))
	}
	slices.Sort(ids[1:])
	return answer{Out: ids}
}
