package main

import "strings"

// Single URLs: those written out, and each piece in the places where it can stand.
func urls() []string {
	all := strings.Split(strings.Trim(plainURLs, "\n"), "\n")
	all = append(all, oddURLs...)
	for _, scheme := range []string{"http", "HTTPS", "unix", "unixs", "Unix", "ftp", "h2c+x.y-z", "1http", "ht tp", "http\x00", "h_p", "é"} {
		all = append(all, scheme+"://10.0.0.1:2380", scheme+":10.0.0.1:2380", scheme+":/a/b")
	}
	for _, host := range hosts {
		all = append(all, "http://"+host)
	}
	for _, host := range []string{"a:b:1", "a:1:2", "a,b:1,c:2", "[::1", "%41:1", "", ":", "é:1"} {
		all = append(all, "unix://"+host, "unixs://"+host+"/p")
	}
	for _, user := range []string{"", "u", "u:", ":p", "u:p", "u%40:p%3A%2f", "u@v", "u v", "é", "%zz", "%C3%A9", "u:p:q", "!$&'()*+,;=", "a/b", "a?b", "%00"} {
		all = append(all, "http://"+user+"@h:2380")
	}
	for _, rest := range []string{"?", "??", "?a=b&c", "?a b", "?é", "?%zz", "?a?", "#", "#f", "#f#g", "#é", "#%C3%A9", "#%41", "#%zz", "#a'b!()*[]{}", "#a%5Bb", "?#", "?a#b?c", "#%2f%2F"} {
		all = append(all, "http://h:2380"+rest, "unix:///p"+rest)
	}
	for _, path := range []string{"/", "//", "/a", "/a&b", "/a b", "/%41", "/%2f", "/%2F/a%20b", "/é", "/%C3%A9", "/%zz", "/%", "/a%4", "/a;b,c=d", "/[x]", "/{x}", "/*", "/a:b", "/'\"<>", "/..", "/%00", "/a\\b", "/😀", "/%é1", "/%aé"} {
		all = append(all, "unix://"+path, "unixs://h:1"+path, "unix:"+path)
	}
	all = append(all, "http://h:2380/", "http://h:2380/a", "https://h:2380//", "http://h:2380/%zz", "http://h/")
	for _, space := range []string{" ", "\t", "\n", "\r\n", "\v", "\f", "\u0085", "\u00a0", "\u1680", "\u2003", "\u2028", "\u202f", "\u205f", "\u3000", "\ufeff", "\u200b", "\x00", "\x7f", "\u180e"} {
		all = append(all, space+"http://h:2380"+space, "http://h:23"+space+"80", space)
	}
	return all
}

const plainURLs = `
http://localhost:2380
https://Example.COM:2380
HTTP://Host:02380
http://10.0.0.1:2380
http://10.0.0.1
http://10.0.0.1:
http://:2380
http://:
http://
http:
http:/
http:///
http://h
test1.local:2380
test1.local
localhost:2380
10.0.0.1:2380
10.0.0.1
[::1]:2380
::1
:2380
//h:2380
///h:2380
//
/tmp/etcd.sock
tmp/etcd.sock
.
./a:b
a/b:c
*
?a
?a:b
#a
#a:b
http
https//h:2380
http//h:2380
http:h:2380
http:/h:2380
http://http://h:2380
http:////h:2380
://h:2380
://
:
unix://
unix:
unix:a
unix:a/b
unix:/a
unix://a
unix://a:1
unix://a:b
unix:///a
unix:////a
unix://localhost:2380
unix://localhost:2380/a
unix:///var/run/a&b.sock
unix:///var/run/a=b,c
unixs://127.0.0.1:2379.0
unix://127.0.0.1:21234567890
unix://m0
n1=http://h:2380
http://h:2380,http://g:2380
http://h:2380 http://g:2380
http://h:2380http://g:2380
http://<h>:1
http://h"i:1
http://{h}:1
http://$HOST:2380
http://${HOST}:2380
`

var oddURLs = []string{
	"", "\u0000", "http://h:2380\u0000", "http://\u0001h:1", "http://h:2380/\u007f", "\u00e9", "\u00e9:1", "http://" + strings.Repeat("a", 300) + ":1",
	"http://h:" + strings.Repeat("9", 50), "http://h:2380#\u0001", "#\u0001", "http://h:1?\u0001", "a\u0000:b", "\ufffd", "http://\ufffd:1",
	"\"quoted\":1", "back\\slash:1", "http://a\\b:1", "10.0.0.1:\u00e9", "10.0.0.1:\u200b\U0001F600\ufeff",
}

var hosts = []string{
	"h:0", "h:1", "h:65535", "h:65536", "h:99999", "h:a", "h:1a", "h:-1", "h:+1", "h: 1", "h:1 ", "h :1", "h:%31", "h:\u0661", "h:é",
	"h:1:2", "::1:2380", "::1", "h::1", ":a", "a,b:1", "a:1,b:2", "h;x:1", "h!$&'()*+;=:1", "h_i:1", "h~:1", "h|i:1", "h^:1", "h`:1",
	"é:1", "%C3%A9:1", "%c3%a9:1", "%ff:1", "%41:1", "%zz:1", "%:1", "%4:1", "%25:1", "%2:1", "h%20:1", "日本:2380", "😀:1", "%é:1", "%aé:1",
	"[::1]:2380", "[::1]", "[::1]:", "[::1]:a", "[::1]2380", "[::1]x:1", "[::1", "::1]:1", "[]:1", "[h]:1", "[10.0.0.1]:1", "x[::1]:1", "[[::1]]:1", "[::1]]:1",
	"[2001:DB8::1]:2380", "[2001:db8:0:0:0:0:0:1]:2380", "[2001:0db8::0001]:2380", "[::ffff:10.0.0.1]:1", "[::ffff:10.0.0.256]:1", "[::ffff:10.0.0.01]:1",
	"[::ffff:10.0.0]:1", "[::ffff:10.0.0.1.2]:1", "[::ffff:10..0.1]:1", "[::ffff:10.0.0.]:1", "[::ffff:10.0.0.x]:1", "[::10.0.0.1%25z]:1", "[::.1]:1",
	"[1:2:3:4:5:6:7:8]:1", "[1:2:3:4:5:6:7]:1", "[1:2:3:4:5:6:7:8:9]:1", "[1:2:3:4:5:6:7::8]:1", "[1::2::3]:1", "[1:2:3:4:5:6:7::]:1", "[1:2:3:4:5:6:7:8::]:1",
	"[1:2:3:4:5:6:10.0.0.1]:1", "[1:2:3:4:5:10.0.0.1]:1", "[1:2:3:4:5:6:7:10.0.0.1]:1", "[::1:2:3:4:5:6:7:10.0.0.1]:1", "[12345::]:1", "[::12345]:1", "[:1]:1", "[1:]:1", "[:]:1", "[:::]:1", "[::g]:1", "[1:g::]:1", "[1g::]:1", "[::]:1", "[fffff::]:1",
	"[fe80::1%25eth0]:2380", "[fe80::1%25]:1", "[fe80::1%eth0]:1", "[fe80::1%25e%74h0]:1", "[fe80::1%25a%20b]:1", "[fe80::1%25a b]:1", "[fe80::1%25a%25b]:1", "[fe80::1%25%2f]:1", "[fe80::1%25%zz]:1", "[fe80::1%25é]:1", "[fe80::1%25%C3%A9]:1", "[%25eth0]:1", "[fe80::1%2525]:1", "[fe80::%31]:1", "[é::1]:1", "[::%ff]:1", "[fe80::1%25a%7c]:1", "[fe80::1%25<\">]:1", "[.1]:1", "[1.2.3.4.5]:1", "[1.2.3]:1", "[v1.x]:1", "[1%25.]:1",
}

var urlLists = [][]string{
	{},
	{"http://b:1", "http://a:1"},
	{"http://a:1", "http://a:1"},
	{"http://a:10", "http://a:2", "http://A:1", "https://a:1", "HTTP://a:1"},
	{"http://\U0001F600:1?\U0001F600", "http://x:1?\U0001F600", "http://x:1?\uffee", "http://x:1?\ue000"},
	{" http://a:1 ", "\thttp://b:1\n"},
	{"http://a:1", ""},
	{"http://a:1", "http://b", "c"},
	{"unix:///b", "unix:///a", "http://a:1"},
	{"http://a:1", "unix://a/b"},
}

func clusterTexts() []string {
	all := []string{
		"", ",", ",,,", " ", " , ", "=", "a=", "a", "=http://h:1", "a=http://h:1", "a=http://h:1,", ",a=http://h:1", "a=http://h:1,,b=http://g:1",
		"b=http://b:1,a=http://a:1", "a=http://b:1,a=http://a:1", "a=http://a:1,b=http://b:1,a=http://c:1", "a=http://a:1,a=http://a:1", "a=http://a:1,b=http://a:1",
		"a==http://h:1", "a=b=http://h:1", "a = http://h:1 , b = http://g:1", " a=http://a:1, b=http://b:1", "a=http://a:1;b=http://b:1", "a=http://a:1 b=http://b:1",
		"a=http://a:1/", "a=http://a", "a=http://A:1", "a=http://[::1]:2380", "a=http://::1:2380", "a=unix:///a", "a=unix:///a&b", "a=unix://a:1", "a=unixs:///x=y",
		"a=a.local:2380", "a=10.0.0.1:2380", "a=a.local", "http://h:1", "http://h:1?a=b", "a=http://h:1?x=y", "a=http://h:1?x,y=http://g:1", "a=http://h:1#x,y",
		"a=http://b:1,b=,c=http://c", "x=y,z=http://h:1/p,w=http://h:1", "a-b=http://1:1,a=http://2:2,a.b=http://3:3,aa=http://4:4", "\U0001F600=http://a:1,\uffee=http://b:1,\ue000=http://c:1",
		"é=http://a:1", "a\"b=http://a:1", "a\x00b=http://a:1", "a\nb=http://a:1", "a=http://a\x00:1", "a=http://é:1", "a=\u00a0http://a:1\u0085", "a=\ufeffhttp://a:1",
		"__proto__=http://a:1,constructor=http://b:1,toString=http://c:1", "10=http://a:1,9=http://b:1,1=http://c:1",
		"mach0=http://1.1.1.1:2380,mach0=http://2.2.2.2:2380,mach1=http://3.3.3.3:2380,mach2=http://4.4.4.4:2380", "mach0=http://2.2.2.2::2380",
		strings.Repeat("n", 100) + "=http://a:1", "infra0=HTTP://10.0.0.1:02380,infra1=HTTPS://Infra1:2380",
	}
	var many []string
	for i := range 12 {
		many = append(many, "n"+strings.Repeat("1", i)+"=http://10.0.0."+string(rune('0'+i%10))+":"+string(rune('1'+i/10)))
	}
	return append(all, strings.Join(many, ","))
}

const three = "a=http://10.0.0.1:2380,b=http://10.0.0.2:2380,c=http://10.0.0.3:2380"

// No names but localhost: these would be looked up.
var bootstraps = []bootstrap{
	{Name: "a", Cluster: three, Advertised: "http://10.0.0.1:2380", Token: "gold"},
	{Name: "c", Cluster: three, Advertised: "http://10.0.0.3:2380", Token: "gold"},
	{Name: "a", Cluster: three, Advertised: "http://10.0.0.1:2380", Token: "etcd-cluster"},
	{Name: "a", Cluster: three, Advertised: "http://10.0.0.1:2380", Token: "t\u00f6ken \U0001F600"},
	{Name: "default", Cluster: "default=http://localhost:2380", Advertised: "http://localhost:2380", Token: "etcd-cluster"},
	{Name: "x", Cluster: "default=http://localhost:2380", Advertised: "http://localhost:2380", Token: "t"},
	{Name: "x\"\n\u00e9\u200b", Cluster: three, Advertised: "http://10.0.0.1:2380", Token: "t"},
	{Name: "a", Cluster: three, Advertised: "http://10.0.0.9:2380", Token: "t"},
	{Name: "a", Cluster: three, Advertised: "http://10.0.0.1:2381", Token: "t"},
	{Name: "a", Cluster: three, Advertised: "https://10.0.0.1:2380", Token: "t"},
	{Name: "a", Cluster: three, Advertised: "http://10.0.0.1:02380", Token: "t"},
	{Name: "a", Cluster: three, Advertised: "http://10.0.0.1:2380?x", Token: "t"},
	{Name: "a", Cluster: three, Advertised: "http://u:p@10.0.0.1:2380", Token: "t"},
	{Name: "a", Cluster: three, Advertised: "http://10.0.0.1:2380#f", Token: "t"},
	{Name: "a", Cluster: three, Advertised: "http://10.0.0.2:2380,http://10.0.0.1:2380", Token: "t"},
	{Name: "a", Cluster: three, Advertised: "http://10.0.0.1:2380,http://10.0.0.1:2380", Token: "t"},
	{Name: "a", Cluster: "a=http://10.0.0.1:2380,a=http://10.0.0.2:2380", Advertised: "http://10.0.0.1:2380", Token: "t"},
	{Name: "a", Cluster: "a=http://10.0.0.2:2380,a=http://10.0.0.1:2380", Advertised: "http://10.0.0.2:2380,http://10.0.0.1:2380", Token: "tkn"},
	{Name: "a", Cluster: "a=http://10.0.0.1:2380,a=http://10.0.0.2:2380", Advertised: "http://10.0.0.1:2380,http://10.0.0.1:2380", Token: "t"},
	{Name: "a", Cluster: "a=http://10.0.0.1:2380,a=http://10.0.0.1:2380,a=http://10.0.0.2:2380", Advertised: "http://10.0.0.1:2380,http://10.0.0.2:2380,http://10.0.0.2:2380", Token: "t"},
	{Name: "a", Cluster: "a=http://10.0.0.1:2380,a=http://10.0.0.1:2380", Advertised: "http://10.0.0.1:2380,http://10.0.0.1:2380", Token: "t"},
	{Name: "a", Cluster: "a=http://10.0.0.1:2380,b=http://10.0.0.1:2380", Advertised: "http://10.0.0.1:2380", Token: "t"},
	{Name: "a", Cluster: "a=http://10.0.0.1:2380,b=http://10.0.0.1:02380", Advertised: "http://10.0.0.1:2380", Token: "t"},
	{Name: "a", Cluster: "a=http://[::1]:2380", Advertised: "http://[0:0:0:0:0:0:0:1]:2380", Token: "t"},
	{Name: "a", Cluster: "a=http://[2001:DB8::1]:2380", Advertised: "http://[2001:db8::1]:2380", Token: "t"},
	{Name: "a", Cluster: "a=http://[::ffff:10.0.0.1]:2380", Advertised: "http://10.0.0.1:2380", Token: "t"},
	{Name: "a", Cluster: "a=http://[fe80::1%25lo]:2380", Advertised: "http://[fe80:0::1%25lo]:2380", Token: "t"},
	{Name: "a", Cluster: "a=http://[fe80::1%25lo]:2380", Advertised: "http://[fe80::1]:2380", Token: "t"},
	{Name: "a", Cluster: "a=http://[1:0:0:2:0:0:0:3]:1,b=http://[1:0:0:2::3]:1", Advertised: "http://[1::2:0:0:0:3]:1", Token: "t"},
	{Name: "a", Cluster: "a=http://[::1]:2380", Advertised: "http://[::2]:2380", Token: "t"},
	{Name: "a", Cluster: "a=http://localhost:2380", Advertised: "http://127.0.0.1:2380", Token: "t"},
	{Name: "a", Cluster: "a=http://localhost:2380", Advertised: "http://localhost:2381", Token: "t"},
	{Name: "a", Cluster: "a=unix:///a", Advertised: "unix:///a", Token: "t"},
	{Name: "a", Cluster: "a=unix:///a", Advertised: "unix:///b", Token: "t"},
	{Name: "a", Cluster: "a=unix://x&y:1,b=unixs:///b", Advertised: "unix://x&y:1", Token: "t"},
	{Name: "a", Cluster: "", Advertised: "http://10.0.0.1:2380", Token: "t"},
	{Name: "", Cluster: "=http://10.0.0.1:2380", Advertised: "http://10.0.0.1:2380", Token: ""},
}
