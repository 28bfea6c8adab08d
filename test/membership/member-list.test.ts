/**
 * Lists of members as people have them, and documents that are none: those give an error of ours, and soon.
 */
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { isDatadirError } from '../../src/errors.ts';
import { parseMemberList } from '../../src/membership/member-list.ts';

const parse = (text: string) => parseMemberList(text, '3.6');
const MIB = 1024 * 1024;

const TWO = {
  cluster: new Map([
    ['n1', ['http://10.0.0.1:2380']],
    ['n2', ['http://10.0.0.2:2380', 'http://10.0.0.3:2380']],
  ]),
  learners: new Set<string>(),
  token: undefined,
};

describe('a list of members', () => {
  test.each([
    [
      'a list in JSON',
      '[{"name":"n2","peerURLs":["http://10.0.0.3:2380","http://10.0.0.2:2380"]},{"name":"n1","peerURLs":["http://10.0.0.1:2380"],"isLearner":false}]',
    ],
    [
      'a list in YAML',
      '- name: n1\n  peerURLs: [http://10.0.0.1:2380]\n- name: n2\n  peer-urls:\n    - http://10.0.0.2:2380\n    - http://10.0.0.3:2380\n',
    ],
    [
      'YAML that begins like JSON',
      '[{name: n1, url: "http://10.0.0.1:2380"}, {name: n2, peer_urls: ["http://10.0.0.2:2380", "http://10.0.0.3:2380"]}]',
    ],
    ['a map', 'n1: http://10.0.0.1:2380\nn2:\n- http://10.0.0.2:2380\n- http://10.0.0.3:2380\n'],
    ['a map in JSON', '{"n1":["http://10.0.0.1:2380"],"n2":["http://10.0.0.2:2380","http://10.0.0.3:2380"]}'],
    ['a map below members', 'members:\n  n1: http://10.0.0.1:2380\n  n2: [http://10.0.0.2:2380, http://10.0.0.3:2380]'],
    ['anchors', 'n1: &a http://10.0.0.1:2380\nn2: [http://10.0.0.2:2380, http://10.0.0.3:2380]\n# n3: *a\n'],
    [
      'a byte order mark and white space in front',
      '\ufeff\r\n [{"name":"n1","peerURL":"http://10.0.0.1:2380"},{"name":"n2","peerUrls":["http://10.0.0.2:2380","http://10.0.0.3:2380"]}]',
    ],
  ])('%s', (_, text) => {
    expect(parse(text)).toEqual(TWO);
  });

  test('the output of etcdctl member list: ids are passed over', () => {
    const text =
      '{"header":{"cluster_id":17237436991929493444,"member_id":9372538179322589801,"raft_term":2},"members":[' +
      '{"ID":9372538179322589801,"name":"infra1","peerURLs":["http://127.0.0.1:12380"],"clientURLs":["http://127.0.0.1:2379"]},' +
      '{"ID":10501334649042878790,"name":"infra2","peerURLs":["http://127.0.0.1:22380"],"clientURLs":["http://127.0.0.1:22379"],"isLearner":true}]}\n';
    expect(parse(text)).toEqual({
      cluster: new Map([
        ['infra1', ['http://127.0.0.1:12380']],
        ['infra2', ['http://127.0.0.1:22380']],
      ]),
      learners: new Set(['infra2']),
      token: undefined,
    });
  });

  test('a token', () => {
    expect(parse('token: t\nmembers: [{name: a, url: "http://h:1"}]').token).toBe('t');
    expect(parse('{"token":"t","members":{"a":"http://h:1"}}').token).toBe('t');
    expect(parse('{"token":null,"members":{"a":"http://h:1"}}').token).toBeUndefined();
  });

  test('a configuration file of etcd', () => {
    const text =
      "name: n1\ndata-dir: /var/lib/etcd\ninitial-cluster: 'n2=http://h:2,n1=http://h:1'\ninitial-cluster-token: t\nmax-wals: 5\n";
    const cluster = new Map([
      ['n1', ['http://h:1']],
      ['n2', ['http://h:2']],
    ]);
    expect(parse(text)).toEqual({ cluster, learners: new Set(), token: 't' });
  });

  test('names like those of the keys', () => {
    expect([
      ...parse('{"members":["http://h:1"],"__proto__":"http://h:2","token":"http://h:3"}').cluster.keys(),
    ]).toEqual(['__proto__', 'members', 'token']);
  });

  test('an alias stands for its anchor', () => {
    const text = '- {name: a, url: &u "http://h:1"}\n- {name: b, url: *u}\n';
    expect(parse(text).cluster.get('b')).toEqual(['http://h:1']);
  });

  test('a thousand members', () => {
    const members = Array.from(
      { length: 1000 },
      (_, i) => `- name: n${i}\n  peerURLs:\n  - http://h:${i}\n  isLearner: false\n`,
    );
    expect(parse(members.join('')).cluster.size).toBe(1000);
    expect(() => parse(`${members.join('')}- {}`)).toThrow('1001 members: at most 1000 are taken');
  });
});

describe('what is wrong, and where', () => {
  test.each([
    ['', 'the document is neither a list nor an object of members'],
    ['n1=http://h:1', 'the document is neither a list nor an object of members'],
    ['7', 'the document is neither a list nor an object of members'],
    ['[]', 'the list of members is empty'],
    ['{}', 'the list of members is empty'],
    ['{"members":[]}', 'the list of members is empty'],
    ['members: 7', 'members: neither a list nor an object'],
    ['[1]', 'members[0]: not an object'],
    ['[{"name":"a","url":"http://h:1"},null]', 'members[1]: not an object'],
    ['[{"url":"http://h:1"}]', 'members[0]: no name'],
    ['[{"name":"","url":"http://h:1"}]', 'members[0]: no name'],
    ['[{"name":null,"url":"http://h:1"}]', 'members[0]: no name'],
    ['[{"name":7,"url":"http://h:1"}]', 'members[0]: name is not a text'],
    ['- {name: yes, url: 7}', 'members[0]: url is neither a text nor a list of texts'],
    ['[{"name":"a=b","url":"http://h:1"}]', 'members[0]: the name "a=b" has a comma or an equals sign in it'],
    ['[{"name":"a"}]', 'members[0]: no peerURLs'],
    ['{"members":[{"name":"a","url":"http://h:1"},{"name":"b","peerURLs":[]}]}', 'members[1]: no peerURLs'],
    ['[{"name":"a","peerURLs":null}]', 'members[0]: no peerURLs'],
    ['[{"name":"a","peerURLs":[1]}]', 'members[0]: peerURLs is neither a text nor a list of texts'],
    ['[{"name":"a","peerURLs":{}}]', 'members[0]: peerURLs is neither a text nor a list of texts'],
    ['[{"name":"a","peerURLs":["http://h:1"],"peer-urls":[]}]', 'members[0]: both peerURLs and peer-urls'],
    ['[{"name":"a","url":"http://h:1","isLearner":"no"}]', 'members[0]: isLearner is not true or false'],
    ['[{"name":"a","url":"http://h:1"},{"name":"a","url":"http://h:2"}]', 'members[1]: the name "a" comes twice'],
    [
      '[{"name":"a","url":"h.local:1"}]',
      'members[0]: URL scheme must be http, https, unix, or unixs: h.local:1 (the scheme is missing: write http://h.local:1)',
    ],
    ['a: http://h', 'a: URL address does not have the form "host:port": http://h'],
    ['members: {"a b": 7}', 'members."a b": the value is neither a text nor a list of texts'],
    ['{"":"http://h:1"}', '"": no name'],
    ['{"a":null}', 'a: no peerURLs'],
    ['initial-cluster: 7', 'initial-cluster is not a text'],
    [
      'initial-cluster: a=h',
      'initial-cluster: URL scheme must be http, https, unix, or unixs: h (the scheme is missing: write http://h:2380)',
    ],
    ['initial-cluster: ""', 'the list of members is empty'],
    ['{"token":7,"members":[{"name":"a","url":"http://h:1"}]}', 'token is not a text'],
    ['a: http://h:1\na: http://h:2', 'the list of members is no YAML: the key "a" comes twice (line 2, column 1)'],
    ['7: http://h:1', 'the list of members is no YAML: a key is not a text: put it into quotes (line 1, column 1)'],
    ['a: !foo http://h:1', 'the list of members is no YAML: the tag "!foo" is not taken (line 1, column 9)'],
    [
      'a: !!binary aHR0cA==',
      'the list of members is no YAML: the tag "tag:yaml.org,2002:binary" is not taken (line 1, column 13)',
    ],
    [
      '!!set {a: http://h:1}',
      'the list of members is no YAML: the tag "tag:yaml.org,2002:set" is not taken (line 1, column 7)',
    ],
    ['a: *x', 'the list of members is no YAML: no anchor "x" (line 1, column 4)'],
    ['a: &x [*x]', 'the list of members is no YAML: more than 32 levels (line 1, column 7)'],
  ])('%j', (text, words) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'USAGE', message: words }));
  });

  test.each([
    ['[{"name":"a",}', /^the list of members is neither JSON \(.* at byte 13\) nor YAML: .*\(line 1, column 15\)$/],
    ['a: "x', /^the list of members is no YAML: .*\(line 1, column 6\)$/],
    ['a: http://h:1\n---\nb: http://h:2', /^the list of members is no YAML: .*multiple documents/],
  ])('%j', (text, words) => {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({ code: 'USAGE', message: expect.stringMatching(words) }),
    );
  });
});

describe('hostile documents', () => {
  const filled = (piece: string, before = ''): string =>
    before + piece.repeat(Math.floor((MIB - before.length) / piece.length));
  const laughs = ['a: &a [x, x, x, x, x, x, x, x, x, x]'];
  for (let i = 1; i < 20; i++) {
    const [name, before] = [String.fromCharCode(97 + i), String.fromCharCode(96 + i)];
    laughs.push(`${name}: &${name} [${`*${before}, `.repeat(10)}]`);
  }
  const long = `- &u "http://${'h'.repeat(MIB / 2)}:1"\n`;

  test.each([
    ['too long', 'x'.repeat(MIB + 1)],
    ['too long in UTF-8', 'é'.repeat(MIB / 2 + 1)],
    ['billion laughs', laughs.join('\n')],
    ['a long text many times', long + filled('- *u\n').slice(0, 200_000)],
    ['many keys', Array.from({ length: 70_000 }, (_, i) => `k${i}: x`).join('\n')],
    ['many keys in JSON', `{${Array.from({ length: 70_000 }, (_, i) => `"k${i}":"x"`).join(',')}}`],
    ['one long URL', filled('h', 'a: http://')],
    ['a URL of escapes', filled('%41', 'a: http://')],
    ['a URL of white space', `a: "http://h:1${' '.repeat(MIB - 30)}x"`],
    ['a URL of colons', filled(':', 'a: http://')],
    ['an initial cluster of commas', `initial-cluster: "${','.repeat(MIB - 30)}"`],
    ['an initial cluster of names', `initial-cluster: "${'a=http://h:1,b,'.repeat(60_000)}"`],
    ...[
      '[',
      '{',
      '[]',
      '{}',
      '[{',
      '{"a":',
      '[a: ',
      ']',
      '}',
      ',',
      '- ',
      '? ',
      ': ',
      'a: ',
      '- a: ',
      '-\n',
      '\n',
      ' ',
      '\t',
    ].map((piece): [string, string] => [`a MiB of ${JSON.stringify(piece)}`, filled(piece)]),
    ...[
      '"',
      "'",
      '|\n',
      '>\n',
      '#\n',
      '%a\n',
      '---\n',
      '...\n',
      '&a ',
      '*a ',
      '!a ',
      '!<',
      '\0',
      '\ufeff',
      '\\',
      '"\\',
    ].map((piece): [string, string] => [`a MiB of ${JSON.stringify(piece)}`, filled(piece).slice(0, MIB / 4)]),
    ...['[', '[]', ']', ',', '- a: ', '%a\n', '? '].map((piece): [string, string] => [
      `just below the limit of tokens: ${JSON.stringify(piece)}`,
      piece.repeat(16_000),
    ]),
  ])('%s', { timeout: 20_000 }, (_, text) => {
    const start = performance.now();
    let thrown: unknown;
    try {
      parse(text);
    } catch (error) {
      thrown = error;
    }
    expect(isDatadirError(thrown, 'USAGE')).toBe(true);
    expect((thrown as Error).message.length).toBeLessThan(3 * MIB);
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  const anything = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, tie('leaf'), tie('list'), tie('object')),
    leaf: fc.oneof(fc.constantFrom(null, true, 7, '', 'a', 'http://h:1', 'a=http://h:1'), fc.string()),
    list: fc.array(tie('value'), { maxLength: 4 }),
    object: fc.dictionary(
      fc.oneof(
        fc.constantFrom('name', 'members', 'peerURLs', 'url', 'isLearner', 'token', 'initial-cluster'),
        fc.string(),
      ),
      tie('value'),
      { maxKeys: 4 },
    ),
  })).value;

  property.prop([
    fc.oneof(
      anything.map((value) => JSON.stringify(value)),
      fc.string(),
      fc.string({ unit: 'binary' }),
    ),
  ])('any text is a list or an error of ours', (text) => {
    try {
      const { cluster, learners } = parse(text);
      expect(cluster.size).toBeGreaterThan(0);
      expect([...learners].every((name) => cluster.has(name))).toBe(true);
    } catch (error) {
      if (!isDatadirError(error, 'USAGE')) throw error;
    }
  });

  const yamlish = fc.array(
    fc.constantFrom(
      'a',
      '- ',
      ': ',
      '\n',
      '  ',
      '[',
      ']',
      '{',
      '}',
      ',',
      '&x ',
      '*x',
      '!t ',
      '"',
      "'",
      '|',
      '#',
      '---\n',
      'http://h:1',
      '? ',
      '<<',
    ),
    { maxLength: 30 },
  );
  property.prop([yamlish.map((pieces) => pieces.join(''))])('any YAML is a list or an error of ours', (text) => {
    try {
      parse(text);
    } catch (error) {
      if (!isDatadirError(error, 'USAGE')) throw error;
    }
  });
});
