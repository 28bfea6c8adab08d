/**
 * Rules for buckets `auth`, `authUsers` and `authRoles`.
 */
import { keyText } from '../bolt/key-text.ts';
import { parseAuthEnabled, parseAuthRevision, parseRole, parseUser } from './auth.ts';
import type { BucketRules } from './check-bucket.ts';
import { type BackendReporter, placeOf, type StoredRecord } from './check-reporter.ts';
import { AUTH } from './format.ts';

const ROOT = 'root';
/** So many roles, and so many users with roles that were not met, are remembered. */
const MAX_REMEMBERED = 100_000;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const quoted = (text: string): string => keyText(new TextEncoder().encode(text));

/** Users come after the roles they name: order the passes so. */
export class AuthRules {
  users = 0;
  roles = 0;
  enabled = false;
  readonly #reporter: BackendReporter;
  #revision: bigint | undefined;
  /** Whether something is there that is not the auth revision. */
  #revisionUnreadable = false;
  readonly #roleNames = new Set<string>();
  #allRolesKnown = true;
  #root: 'missing' | 'without-role' | 'unreadable' | 'there' = 'missing';

  constructor(reporter: BackendReporter) {
    this.#reporter = reporter;
  }

  /** Rules for bucket `auth`. */
  readonly state: BucketRules = {
    bucket: 'auth',
    take: (record) => {
      const name = decoder.decode(record.key);
      const parsed =
        name === AUTH.enabled
          ? parseAuthEnabled(record.value)
          : name === AUTH.revision
            ? parseAuthRevision(record.value)
            : undefined;
      if (parsed === undefined) {
        this.#reporter.report('BACKEND_KEY_UNKNOWN', {}, placeOf('auth', record));
      } else if ('problem' in parsed) {
        if (name === AUTH.revision) this.#revisionUnreadable = true;
        this.#reporter.report('BACKEND_AUTH_UNREADABLE', { reason: parsed.problem }, placeOf('auth', record));
      } else if (typeof parsed.value === 'boolean') this.enabled = parsed.value;
      else this.#revision = parsed.value;
    },
    takeNone: (record, reason) => {
      this.#reporter.report('BACKEND_AUTH_UNREADABLE', { reason }, placeOf('auth', record));
    },
  };

  /** Rules for bucket `authRoles`. */
  readonly roleRules: BucketRules = {
    bucket: 'authRoles',
    take: (record) => {
      this.roles++;
      const role = parseRole(record.key, record.value);
      if ('problem' in role) {
        this.#allRolesKnown = false;
        this.#reporter.report('BACKEND_ROLE_UNREADABLE', { reason: role.problem }, placeOf('authRoles', record));
        return;
      }
      if (this.#roleNames.size < MAX_REMEMBERED) this.#roleNames.add(decoder.decode(record.key));
      else this.#allRolesKnown = false;
      if (!role.canonical) this.#reportName('authRoles', 'role', role.name, record);
    },
    takeNone: (record, reason) => {
      this.#allRolesKnown = false;
      this.#reporter.report('BACKEND_ROLE_UNREADABLE', { reason }, placeOf('authRoles', record));
    },
  };

  /** Rules for bucket `authUsers`. */
  readonly userRules: BucketRules = {
    bucket: 'authUsers',
    take: (record) => {
      this.users++;
      const stored = decoder.decode(record.key);
      const user = parseUser(record.key, record.value);
      if ('problem' in user) {
        if (stored === ROOT) this.#root = 'unreadable';
        this.#reporter.report('BACKEND_USER_UNREADABLE', { reason: user.problem }, placeOf('authUsers', record));
        return;
      }
      if (!user.canonical) this.#reportName('authUsers', 'user', user.name, record);
      if (stored === ROOT) this.#root = user.roles.includes(ROOT) ? 'there' : 'without-role';
      this.#checkRoles(user.roles, record);
    },
    takeNone: (record, reason) => {
      this.#root = 'unreadable';
      this.#reporter.report('BACKEND_USER_UNREADABLE', { reason }, placeOf('authUsers', record));
    },
  };

  #checkRoles(roles: readonly string[], record: StoredRecord): void {
    const user = keyText(record.key);
    // Go compares bytes; for text that is UTF-8 they are in the order of code points.
    if (roles.some((role, i) => i > 0 && compareText(roles[i - 1]!, role) >= 0)) {
      this.#reporter.report('BACKEND_USER_ROLES_UNSORTED', { user }, placeOf('authUsers', record));
    }
    if (!this.#allRolesKnown) return;
    const unknown = roles.find((role) => role !== ROOT && !this.#roleNames.has(role));
    if (unknown === undefined) return;
    const args = { user, role: quoted(unknown) };
    this.#reporter.report('BACKEND_USER_ROLE_UNKNOWN', args, placeOf('authUsers', record));
  }

  #reportName(bucket: 'authUsers' | 'authRoles', what: string, name: string, record: StoredRecord): void {
    this.#reporter.report('BACKEND_AUTH_NAME', { what, name: quoted(name) }, placeOf(bucket, record));
  }

  /** What needs all three buckets. `whole`: they could be read to the end. */
  finish(whole: { readonly state: boolean; readonly users: boolean }): void {
    const { enabled } = this;
    if (whole.state && !this.#revisionUnreadable && (this.users > 0 || this.roles > 0 || enabled)) {
      if (this.#revision === undefined || this.#revision === 0n) {
        const value = this.#revision === undefined ? 'missing' : '0';
        this.#reporter.report('BACKEND_AUTH_REVISION_MISSING', { value }, { bucket: ['"auth"'] });
      }
    }
    if (!enabled || !whole.users) return;
    if (this.#root === 'missing' || this.#root === 'without-role') {
      const reason = this.#root === 'missing' ? 'there is no user root' : 'the user root does not have the role root';
      this.#reporter.report('BACKEND_AUTH_ROOT_MISSING', { reason }, { bucket: ['"authUsers"'] });
    }
  }
}

function compareText(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => new TextEncoder().encode(text)) as [Uint8Array, Uint8Array];
  for (let i = 0; i < left.length && i < right.length; i++) if (left[i] !== right[i]) return left[i]! - right[i]!;
  return left.length - right.length;
}
