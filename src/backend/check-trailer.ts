/**
 * The rule for the sha256 behind the last page: right in a snapshot file, and not there in a db.
 */
import type { BackendReporter } from './check-reporter.ts';
import type { Trailer } from './trailer.ts';

/** What else is known of the file. */
export interface TrailerFile {
  readonly size: number;
  /** Bytes behind the last page are not zero. */
  readonly tail: boolean;
  /** The caller says that it is a snapshot file. Nothing in a file without a sha256 tells it from a member's db. */
  readonly snapshot: boolean;
}

/** Reports what became of the sha256. */
export function checkTrailer(trailer: Trailer, file: TrailerFile, reporter: BackendReporter): void {
  const { state, stored, computed, offset } = trailer;
  if (state === 'wrong') {
    reporter.report('BACKEND_TRAILER_WRONG', { stored: hex(stored), computed: hex(computed) }, { offset });
  } else if (state === 'truncated') {
    // A file that ends before its last page does was found so already, and one with zeros behind it is a db.
    if (file.size > offset && (file.tail || file.snapshot)) {
      reporter.report('BACKEND_TRAILER_CUT', { bytes: `${file.size - offset}` }, { offset });
    }
  } else if (state === 'missing' && file.snapshot) reporter.report('BACKEND_TRAILER_MISSING', {}, { offset });
}

function hex(bytes: Uint8Array | undefined): string {
  return Array.from(bytes ?? [], (byte) => byte.toString(16).padStart(2, '0')).join('');
}
