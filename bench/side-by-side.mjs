// Runs commands in turn and measures wall time, CPU time and peak memory of each run: perl's getrusage gives exact figures
// of the child; without perl, or on other systems than Linux, there is wall time only.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readSync } from 'node:fs';

// Linux system call numbers for perl's syscall(): [getrusage, clock_gettime].
const SYSCALLS = { x64: [98, 228], arm64: [165, 113] }[process.arch];
const PERL = `my($gr,$cg,@cmd)=@ARGV;my $t="\\0"x16;syscall($cg,1,$t);my($a,$b)=unpack("q2",$t);
my $p=fork();die unless defined $p;if(!$p){exec(@cmd);exit 127}waitpid($p,0);my $s=$?;
syscall($cg,1,$t);my($c,$d)=unpack("q2",$t);my $u="\\0"x144;syscall($gr,-1,$u);my @r=unpack("q5",$u);
open(my $o,">&=3");printf $o "%.6f %.6f %d %d\\n",($c-$a)+($d-$b)/1e9,$r[0]+$r[2]+($r[1]+$r[3])/1e6,$r[4],($s&127)?128+($s&127):$s>>8;`;
const havePerl =
  SYSCALLS !== undefined &&
  process.platform === 'linux' &&
  spawnSync('perl', ['-e', 'exit(length(pack("q",1))==8?0:1)']).status === 0;

/**
 * Runs a command once: `{ wall, cpu }` in seconds, `rss` in bytes (NaN if not known), `exit` and `stdout`. With `discard` its
 * output goes to /dev/null.
 */
export async function measure([command, ...args], { discard = false } = {}) {
  const argv = havePerl ? ['perl', '-e', PERL, ...SYSCALLS.map(String), command, ...args] : [command, ...args];
  const started = performance.now();
  const child = spawn(argv[0], argv.slice(1), { stdio: ['ignore', discard ? 'ignore' : 'pipe', 'pipe', 'pipe'] });
  let figures = '';
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (text) => (stdout += text));
  child.stderr.on('data', (text) => (stderr += text));
  child.stdio[3].on('data', (text) => (figures += text));
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  const elapsed = (performance.now() - started) / 1000;
  const [wall = elapsed, cpu = Number.NaN, kib = Number.NaN, exit = code] = figures
    .split(/\s+/)
    .filter(Boolean)
    .map(Number);
  if (exit !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${exit}: ${stderr}${stdout}`);
  return { wall, cpu, rss: kib * 1024, exit, stdout };
}

/**
 * Runs several commands in turn, the order turned round every time. Returns for each its fastest wall time, least CPU time
 * and greatest peak memory; `own` has the numbers that a command printed itself as JSON, the least of each, and `stdout` what
 * it printed the first time. `before(name)` is called before each run, and not measured; `discard` as for `measure`.
 */
export async function sideBySide(commands, runs, { before, discard } = {}) {
  const results = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
  for (let i = 0; i < runs; i++) {
    const names = Object.keys(commands);
    for (const name of i % 2 ? names.reverse() : names) {
      await before?.(name);
      results[name].push(await measure(commands[name], { discard }));
    }
  }
  return Object.fromEntries(
    Object.entries(results).map(([name, all]) => {
      const least = (key) => Math.min(...all.map((one) => one[key]));
      return [
        name,
        {
          wall: least('wall'),
          cpu: least('cpu'),
          rss: Math.max(...all.map(({ rss }) => rss)),
          own: leastOwn(all),
          stdout: all[0].stdout,
        },
      ];
    }),
  );
}

function leastOwn(all) {
  if (!all[0].stdout.startsWith('{')) return undefined;
  const own = all.map(({ stdout }) => JSON.parse(stdout));
  return Object.fromEntries(Object.keys(own[0]).map((key) => [key, Math.min(...own.map((one) => one[key]))]));
}

/** Of the runs of each kind: the fastest wall time, least CPU time and greatest peak memory. */
export function leastOfEach(runs) {
  return Object.fromEntries(
    Object.entries(runs).map(([kind, all]) => [
      kind,
      {
        wall: Math.min(...all.map(({ wall }) => wall)),
        cpu: Math.min(...all.map(({ cpu }) => cpu)),
        rss: Math.max(...all.map(({ rss }) => rss)),
      },
    ]),
  );
}

/** Reads a file once, so that it lies in the page cache. */
export function warm(file) {
  const buffer = Buffer.alloc((1 << 20) + 64).subarray(64);
  const descriptor = openSync(file, 'r');
  while (readSync(descriptor, buffer, 0, buffer.length, null) > 0);
  closeSync(descriptor);
}
