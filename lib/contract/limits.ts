/**
 * How often a client may call, by what a call does: `read` is every GET, `write` every POST. A window begins with
 * its first call.
 */
export const RATES = {
  read: { limit: 600, seconds: 60 },
  write: { limit: 120, seconds: 60 },
} as const;
