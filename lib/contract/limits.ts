/**
 * How often a client may call, by what a call does: `read` is every GET, `write` every POST. A window begins with
 * its first call.
 */
export const RATES = {
  read: { limit: 600, seconds: 60 },
  write: { limit: 120, seconds: 60 },
} as const;

/** What the OAuth endpoints bear of one client. */
export const OAUTH_RATES = {
  /** Calls of each endpoint. */
  calls: { limit: 120, seconds: 60 },
  /** Wrong secrets for one client id from one address; then even the right one is refused. */
  failures: { limit: 10, seconds: 900 },
  deviceCodes: { limit: 10, seconds: 3600 },
} as const;
/** Device codes of one client that wait at the same time. */
export const MOST_DEVICE_CODES = 5;

/** User codes have 35 bits: how many wrong ones are borne before guessing could pay (RFC 8628 section 5.1). */
export const WRONG_USER_CODES = {
  person: { limit: 5, seconds: 900 },
  address: { limit: 20, seconds: 3600 },
  everyone: { limit: 200, seconds: 60 },
} as const;
/** How often one user code may be opened. */
export const MOST_OPENINGS = 3;
