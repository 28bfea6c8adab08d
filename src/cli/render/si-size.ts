/**
 * Sizes as etcd's tools print them: units of a thousand, one decimal below ten.
 */
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'] as const;

/** `20480` → `20 kB`; `1234567` → `1.2 MB`. */
export function siSize(bytes: number): string {
  if (bytes < 10) return `${bytes} B`;
  // The quotient of two logarithms, not a loop: at some powers of a thousand it falls just short, and so do the tools.
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log(bytes) / Math.log(1000)));
  const value = Math.floor((bytes / 1000 ** unit) * 10 + 0.5) / 10;
  return `${value < 10 ? value.toFixed(1) : roundHalfToEven(value)} ${UNITS[unit]}`;
}

/** `%.0f` of Go: of two numbers that are equally near, the even one. */
function roundHalfToEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  if (rest !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}
