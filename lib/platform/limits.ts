/**
 * Rate limits of a client: `read` counts every GET, `write` every POST. A window begins with its first call.
 */
export const RATES = {
  read: { limit: 600, seconds: 60 },
  write: { limit: 120, seconds: 60 },
} as const;

/** Rate limits of approval requests and of the emails that they cause. */
export const APPROVAL_RATES = {
  /** New approval requests of one client; more are answered with 429. */
  requests: { limit: 20, seconds: 3600 },
  /** Emails caused by one client. Above the limit, a request waits in the inbox without an email. */
  emails: { limit: 40, seconds: 3600 },
  /** Emails about approval requests to one person, by all clients together. */
  emailsToPerson: { limit: 30, seconds: 3600 },
  /** Emails to one person about one operation of one client on one site, while requests replace each other. */
  emailsOfReplacements: { limit: 1, seconds: 3600 },
} as const;

/** Approvals of one client that wait at the same time, and those of them for one operation on one site. */
export const PENDING_APPROVALS = { limit: 20, per_operation_and_site: 5 } as const;

/** Emails to one person that one person or agent causes by its changes; further ones join a digest. */
export const CAUSED_EMAILS = { limit: 5, seconds: 3600 } as const;

/** Default for `REPORT_SECONDS`: seconds of report time per person and minute. */
export const REPORT_SECONDS = 120;
/**
 * Report limits by kind of caller: statements that run and that wait at the same time, and report time per minute as a
 * fraction of `REPORT_SECONDS`. All agents of a person also count towards the person, all networks towards `anonymous`.
 * Each `running` must be less than the number of report connections.
 */
export const REPORT_LIMITS = {
  person: { running: 3, waiting: 400, part: 1 },
  client: { running: 2, waiting: 200, part: 0.75 },
  anonymous: { running: 2, waiting: 300, part: 0.5 },
  network: { running: 2, waiting: 100, part: 0.25 },
} as const;

/** Defaults for the environment variables of the same names: sites per account, domains per site. */
export const SITES_PER_ACCOUNT = 500;
export const DOMAINS_PER_SITE = 50;

/** Default for the environment variable of the same name: the monthly quota of a site without a proven domain. */
export const UNPROVEN_EVENTS_PER_MONTH = 1_000_000;

/** Changes of a site's timezone, and of its trailing slashes: each prepares all its reports again. */
export const REPORT_CHANGES = { limit: 5, seconds: 24 * 3600 } as const;

/** Limits of filters on public dashboards: conditions, and values per condition. */
export const PUBLIC_FILTERS = { conditions: 5, values: 10 } as const;
/** Rate limit of public dashboards per address. */
export const PUBLIC_RATE = { limit: 300, seconds: 60 } as const;

/** Wrong passwords of a private link: from one network, and from all. */
export const WRONG_LINK_PASSWORDS = {
  network: { limit: 10, seconds: 900 },
  everyone: { limit: 200, seconds: 900 },
} as const;

/** Rate limits of the OAuth endpoints. */
export const OAUTH_RATES = {
  /** Calls of one client to each endpoint. */
  calls: { limit: 120, seconds: 60 },
  /** Wrong secrets for one client id from one address. Above the limit, the right secret is refused too. */
  failures: { limit: 10, seconds: 900 },
  /** Wrong secrets from one address for all client ids together. */
  addressFailures: { limit: 100, seconds: 900 },
  deviceCodes: { limit: 10, seconds: 3600 },
} as const;
/** Pending device codes of one client at the same time. */
export const MAX_DEVICE_CODES = 5;

/** Lifetime of an authorization code. */
export const AUTHORIZATION_CODE_SECONDS = 60;
/** Metadata documents of assistants that are read for one person. */
export const METADATA_READS = { limit: 30, seconds: 3600 } as const;
/** Registrations of assistants from one address, and from all addresses. */
export const ASSISTANT_REGISTRATIONS = {
  address: { limit: 20, seconds: 3600 },
  everyone: { limit: 1000, seconds: 3600 },
} as const;
/** Days until a registration that nobody has connected is deleted. */
export const UNUSED_REGISTRATION_DAYS = 7;

/** Personal tokens of one person: how many are valid at the same time, and how many they make in a day. */
export const PERSONAL_TOKENS = { valid: 50, made: { limit: 20, seconds: 24 * 3600 } } as const;
/** Days after which a personal token expires at the latest, and by default. */
export const TOKEN_DAYS = { longest: 365, usual: 90 } as const;
/** Days before a personal token expires that its person is told. */
export const TOKEN_WARNING_DAYS = 7;

/** Rate limits of wrong user codes, against guessing: codes have 35 bits (RFC 8628 section 5.1). */
export const WRONG_USER_CODES = {
  person: { limit: 5, seconds: 900 },
  address: { limit: 20, seconds: 3600 },
  everyone: { limit: 200, seconds: 60 },
} as const;
/** How often one user code may be opened. */
export const MAX_OPENINGS = 3;

const HOUR = 3600;

/**
 * Rate limits of the identity endpoints per address and per domain. The endpoints need no token, so every call counts,
 * also refused ones.
 */
export const IDENTITY_RATES = {
  challenges: { limit: 60, seconds: HOUR },
  registrations: { limit: 30, seconds: HOUR },
  recoveries: { limit: 30, seconds: HOUR },
  delegations: { limit: 30, seconds: HOUR },
} as const;
/** Challenges for one domain from one address. */
export const CHALLENGES_OF_A_DOMAIN = { limit: 20, seconds: HOUR } as const;
/** Proof lookups for one domain by callers with a valid recovery key. */
export const LOOK_UPS_OF_A_DOMAIN = { limit: 60, seconds: HOUR } as const;
export const WRONG_KEYS_OF_A_DOMAIN = { limit: 10, seconds: HOUR } as const;

/** Lifetime of a challenge, maximum number of proof lookups, and number of wrong recovery keys that end it. */
export const CHALLENGE_MINUTES = 30;
export const PROOF_TRIES = 10;
export const WRONG_KEYS = 5;
