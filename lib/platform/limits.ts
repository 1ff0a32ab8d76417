/**
 * How often a client may call, by what a call does: `read` is every GET, `write` every POST. A window begins with
 * its first call.
 */
export const RATES = {
  read: { limit: 600, seconds: 60 },
  write: { limit: 120, seconds: 60 },
} as const;

/** How often a client may ask humans for approvals, and how many emails that may cause. */
export const APPROVAL_RATES = {
  /** New approval requests of one client; beyond, 429. */
  requests: { limit: 20, seconds: 3600 },
  /** Emails that one client causes by them. Beyond, a request waits in the inbox without an email. */
  emails: { limit: 40, seconds: 3600 },
  /** Emails that one person gets about them, from whatever clients. */
  emailsToPerson: { limit: 30, seconds: 3600 },
  /** Emails to one person about one operation of one client on one site, while requests replace each other. */
  emailsOfReplacements: { limit: 1, seconds: 3600 },
} as const;

/** Seconds of report time that a person has in a minute, unless `REPORT_SECONDS` says otherwise. */
export const REPORT_SECONDS = 120;
/**
 * What reports may use at the same time, less than there are connections for them: statements that run, statements that wait, and report time as a part of
 * `REPORT_SECONDS` a minute. All agents of a person count towards that person; all networks towards `anonymous`.
 */
export const REPORT_LIMITS = {
  person: { running: 3, waiting: 400, part: 1 },
  client: { running: 2, waiting: 200, part: 0.75 },
  anonymous: { running: 2, waiting: 300, part: 0.5 },
  network: { running: 2, waiting: 100, part: 0.25 },
} as const;

/** Sites that an account may own, and domains that a site may have, unless the variables of these names say otherwise. */
export const SITES_PER_ACCOUNT = 500;
export const DOMAINS_PER_SITE = 50;

/** What anyone may narrow a public dashboard to: conditions, and values of each. */
export const PUBLIC_FILTERS = { conditions: 5, values: 10 } as const;
/** Questions of one address to public dashboards. */
export const PUBLIC_RATE = { limit: 300, seconds: 60 } as const;

/** What the OAuth endpoints bear of one client. */
export const OAUTH_RATES = {
  /** Calls of each endpoint. */
  calls: { limit: 120, seconds: 60 },
  /** Wrong secrets for one client id from one address; then even the right one is refused. */
  failures: { limit: 10, seconds: 900 },
  /** The same from one address for whatever client ids. */
  addressFailures: { limit: 100, seconds: 900 },
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

const HOUR = 3600;

/**
 * How often the identity endpoints may be called from one address, and for one domain. They are open to everyone, so
 * they are counted before anything else, refusals included.
 */
export const IDENTITY_RATES = {
  challenges: { limit: 60, seconds: HOUR },
  registrations: { limit: 30, seconds: HOUR },
  recoveries: { limit: 30, seconds: HOUR },
  delegations: { limit: 30, seconds: HOUR },
} as const;
/** Challenges for one domain from one address. */
export const CHALLENGES_OF_A_DOMAIN = { limit: 20, seconds: HOUR } as const;
/** Look-ups of one domain's proof for whoever holds one recovery key. */
export const LOOK_UPS_OF_A_DOMAIN = { limit: 60, seconds: HOUR } as const;
export const WRONG_KEYS_OF_A_DOMAIN = { limit: 10, seconds: HOUR } as const;

/** How long a challenge can be met, how often its proof is looked for, and how many wrong recovery keys end it. */
export const CHALLENGE_MINUTES = 30;
export const PROOF_TRIES = 10;
export const WRONG_KEYS = 5;
