/**
 * Numbers for people: counts with separators, sizes in exact bytes and in human form.
 */
const UNITS = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'] as const;

/** `1234567` → `1,234,567`. */
export function grouped(count: number | bigint): string {
  return count.toString().replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1536` → `1.5 KiB`; up to 1023 bytes, `1023 bytes`. */
export function humanSize(bytes: number): string {
  if (bytes < 1024) return `${Math.floor(bytes)} bytes`;
  let value = bytes;
  let unit = -1;
  // 1023.95 would be shown as 1024.0 of the smaller unit.
  while (value >= 1023.95 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value.toFixed(1)} ${UNITS[unit]}`;
}

/** `1536` → `1,536 bytes (1.5 KiB)`. */
export function exactSize(bytes: number): string {
  const exact = `${grouped(bytes)} ${bytes === 1 ? 'byte' : 'bytes'}`;
  return bytes < 1024 ? exact : `${exact} (${humanSize(bytes)})`;
}

/** `1 finding`, `2 findings`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${count === 1 ? noun : `${noun}s`}`;
}

/** `12 ms`, `3.4 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1000)} s`;
}
