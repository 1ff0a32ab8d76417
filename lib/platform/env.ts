import { isIP } from "node:net";
import path from "node:path";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { Fault, OperatorError } from "@/lib/platform/errors";
import { DOMAINS_PER_SITE, REPORT_SECONDS, SITES_PER_ACCOUNT, UNPROVEN_EVENTS_PER_MONTH } from "@/lib/platform/limits";
import { processWide } from "@/lib/platform/process-wide";

/** Invalid configuration. `message` names each variable, what is wrong with it and what is expected. */
export class ConfigError extends OperatorError {}

/** `192.0.2.53`, `192.0.2.53:5353`, `2001:db8::53` or `[2001:db8::53]:5353`. */
const isResolver = (item: string): boolean =>
  isIP(item.replace(/^\[(.*)\](:\d{1,5})?$|^([^:]*):\d{1,5}$/, "$1$3")) !== 0;

const blankIsAbsent = (value: unknown) => (value === "" ? undefined : value);
const optional = <T extends z.ZodType>(type: T) => z.preprocess(blankIsAbsent, type.optional());
const withDefault = <T extends z.ZodType>(type: T, value: z.input<T>) =>
  z.preprocess((given) => blankIsAbsent(given) ?? value, type);

const list = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== ""),
);
const cidrs = list.refine(
  (items) => items.every((item) => ipaddr.isValidCIDR(item) || ipaddr.isValid(item)),
  "must be a comma-separated list of addresses or CIDR ranges, such as 10.0.0.0/8,::1",
);
const isHost = (item: string): boolean =>
  /^(\[[\da-f:.]+\]|[^\s/?#@\\:[\]]+)$/i.test(item) && URL.canParse(`http://${item}`);
/** Host names spelled like `URL.hostname`. */
const hosts = list
  .refine(
    (items) => items.every(isHost),
    "must be a comma-separated list of host names or addresses without scheme and port, such as stats.internal,192.0.2.7,[2001:db8::7]",
  )
  .transform((items) => items.map((item) => new URL(`http://${item}`).hostname));
const resolvers = list.refine(
  (items) => items.every(isResolver),
  "must be a comma-separated list of name server addresses, such as 10.0.0.53,[fd00::53]:5353",
);
const secretRing = z
  .string()
  .regex(
    /^k\d+:[A-Za-z0-9+/_=-]{43,}(,k\d+:[A-Za-z0-9+/_=-]{43,})*$/,
    "must be a comma-separated list of k<number>:<base64 of 32 random bytes>, newest first",
  );

/** `read=600/60,write=120/60`: the maximum number of calls of a client per number of seconds, by kind. */
const rates = z
  .string()
  .regex(/^((read|write)=[1-9]\d{0,8}\/[1-9]\d{0,5}(,|$))*$/, "must be a list such as read=600/60,write=120/60")
  .transform((text) =>
    Object.fromEntries(
      [...text.matchAll(/(\w+)=(\d+)\/(\d+)/g)].map(([, kind, limit, seconds]) => [
        kind as "read" | "write",
        { limit: Number(limit), seconds: Number(seconds) },
      ]),
    ),
  );

/** An issuer is compared byte by byte, so it stays as it is written, also with a slash at its end. */
const issuer = z.string().refine((text) => {
  if (!URL.canParse(text) || /[?#\s]/.test(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}, "must be the https:// address of the provider, such as https://login.example.com/realms/main; http:// is for a provider on this machine only");
/** The origin of a server on this machine, which tests put in the place of services of others. */
const standIn = z
  .string()
  .refine(
    (text) =>
      URL.canParse(text) &&
      new URL(text).origin === text &&
      /^http:\/\/(?!.*@)/.test(text) &&
      isLoopback(new URL(text).hostname),
    "must be the http:// origin of a server on this machine, such as http://127.0.0.1:4000; it is for tests",
  );
const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
/** Domains of email addresses, spelled like `URL.hostname`. */
const emailDomains = list
  .refine(
    (items) => items.every((item) => /^[^\s@/:*]+\.[^\s@/:*]+$/.test(item) && URL.canParse(`http://${item}`)),
    "must be a comma-separated list of the domains after the @ of email addresses, such as example.com,example.org",
  )
  .transform((items) => items.map((item) => new URL(`http://${item}`).hostname));

const PORT_MESSAGE = "must be a port number from 1 to 65535, or 0 for a free port, which is printed";
const COUNT_MESSAGE = "must be a whole number, 1 or more";
/** `unlimited` is infinite. */
const countOrUnlimited = z.union(
  [z.literal("unlimited").transform(() => Infinity), z.coerce.number().int().min(1)],
  `${COUNT_MESSAGE}, or unlimited`,
);
const SECONDS_MESSAGE = "must be a whole number of seconds from 1 to 3600";

const schema = z.object({
  PORT: withDefault(
    z.coerce.number(PORT_MESSAGE).int(PORT_MESSAGE).min(0, PORT_MESSAGE).max(65535, PORT_MESSAGE),
    3000,
  ),
  HOST: withDefault(z.string(), "127.0.0.1"),
  BASE_URL: optional(
    z
      .url({ protocol: /^https?$/, error: "must be an http(s) address such as https://stats.example.com" })
      .transform((url) => url.replace(/\/+$/, ""))
      .refine(
        (url) => new URL(url).origin === url,
        "must be only scheme, host and port: Footfall needs a host name of its own, such as https://stats.example.com, and cannot be served below a path",
      ),
  ),
  DATABASE_URL: optional(
    z.string().regex(/^postgres(ql)?:\/\//, "must be a postgres:// address; leave it unset for the embedded database"),
  ),
  REPORTS_DATABASE_URL: optional(
    z.string().regex(/^postgres(ql)?:\/\//, "must be a postgres:// address of the same database as DATABASE_URL"),
  ),
  DATA_DIR: withDefault(
    z.string().transform((dir) => path.resolve(dir)),
    "./data",
  ),
  APP_SECRETS: optional(secretRing),
  ALLOWED_HOSTS: withDefault(hosts, ""),
  DEMO_SITE: optional(z.string().refine((item) => isHost(item), "must be the domain of a site, such as example.com")),
  TRUSTED_PROXIES: withDefault(cidrs, ""),
  DNS_SERVERS: optional(resolvers),
  OUTBOUND_PRIVATE_CIDRS: withDefault(cidrs, ""),
  SMTP_URL: optional(z.string().regex(/^smtps?:\/\//, "must be an smtp:// or smtps:// address")),
  MAIL_FROM: optional(z.string()),
  SIGNUP: withDefault(z.enum(["open", "invite", "closed"], "must be one of open, invite, closed"), "open"),
  OIDC_ISSUER: optional(issuer),
  OIDC_CLIENT_ID: optional(z.string()),
  OIDC_CLIENT_SECRET: optional(z.string()),
  OIDC_NAME: optional(z.string().max(40, "must have at most 40 characters")),
  OIDC_ALLOWED_DOMAINS: withDefault(emailDomains, ""),
  PASSWORD_SIGN_IN: withDefault(z.enum(["on", "off"], "must be on or off"), "on"),
  GOOGLE_SEARCH_CONSOLE_CLIENT_ID: optional(z.string()),
  GOOGLE_SEARCH_CONSOLE_CLIENT_SECRET: optional(z.string()),
  BING_WEBMASTER_CLIENT_ID: optional(z.string()),
  BING_WEBMASTER_CLIENT_SECRET: optional(z.string()),
  SEARCH_STAND_IN: optional(standIn),
  CHROMIUM: optional(z.string()),
  GEOIP_DATABASE: optional(z.string()),
  LISTS_FILE: optional(z.string().transform((file) => path.resolve(file))),
  AGENT_KEYS: withDefault(z.enum(["fetch", "off"], "must be one of fetch, off"), "fetch"),
  EXCHANGE_RATES: withDefault(z.enum(["ecb", "off"], "must be one of ecb, off"), "ecb"),
  EVENTS_PER_MONTH: optional(z.coerce.number(COUNT_MESSAGE).int(COUNT_MESSAGE).min(1, COUNT_MESSAGE)),
  UNPROVEN_EVENTS_PER_MONTH: withDefault(countOrUnlimited, UNPROVEN_EVENTS_PER_MONTH),
  SITES_PER_ACCOUNT: withDefault(
    z.coerce.number(COUNT_MESSAGE).int(COUNT_MESSAGE).min(1, COUNT_MESSAGE),
    SITES_PER_ACCOUNT,
  ),
  DOMAINS_PER_SITE: withDefault(
    z.coerce.number(COUNT_MESSAGE).int(COUNT_MESSAGE).min(1, COUNT_MESSAGE),
    DOMAINS_PER_SITE,
  ),
  METRICS_TOKEN: optional(
    z.string().regex(/^[\x21-\x7e]{24,200}$/, "must be a secret of 24 to 200 characters without spaces"),
  ),
  RATE_LIMITS: withDefault(rates, ""),
  REPORT_SECONDS: withDefault(
    z.coerce.number(SECONDS_MESSAGE).int(SECONDS_MESSAGE).min(1, SECONDS_MESSAGE).max(3600, SECONDS_MESSAGE),
    REPORT_SECONDS,
  ),
  LOG_LEVEL: withDefault(
    z.enum(
      ["trace", "debug", "info", "warn", "error", "fatal", "silent"],
      "must be one of trace, debug, info, warn, error, fatal, silent",
    ),
    "info",
  ),
  NODE_ENV: withDefault(z.string(), "production"),
});

/** The names of all variables. */
export const VARIABLES = Object.keys(schema.shape);

export type Env = Omit<z.output<typeof schema>, "BASE_URL"> & { BASE_URL: string };

/** Returns what is wrong with valid variables together: one sentence each. */
function contradictionsOf(env: Env): string[] {
  const wrong: string[] = [];
  if (env.DATABASE_URL && !env.APP_SECRETS && env.NODE_ENV === "production")
    wrong.push(
      "APP_SECRETS must be set together with DATABASE_URL, so that all processes share the same secrets. Create them with: echo k1:$(openssl rand -base64 32)",
    );
  if (env.REPORTS_DATABASE_URL && !env.DATABASE_URL)
    wrong.push("REPORTS_DATABASE_URL requires DATABASE_URL; the embedded database needs neither.");
  const needed = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"] as const;
  const missing = needed.filter((name) => !env[name]);
  const hasOptions = env.OIDC_NAME !== undefined || env.OIDC_ALLOWED_DOMAINS.length > 0;
  if (missing.length > 0 && (missing.length < needed.length || hasOptions))
    wrong.push(
      `${missing.join(" and ")} must be set too: a provider to sign in with needs OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.`,
    );
  for (const name of ["GOOGLE_SEARCH_CONSOLE", "BING_WEBMASTER"] as const) {
    const [id, secret] = [`${name}_CLIENT_ID`, `${name}_CLIENT_SECRET`] as const;
    if ((env[id] === undefined) === (env[secret] === undefined)) continue;
    wrong.push(`${env[id] ? secret : id} must be set too: the provider knows this service by both.`);
  }
  if (env.PASSWORD_SIGN_IN === "off" && missing.length > 0)
    wrong.push("PASSWORD_SIGN_IN=off requires OIDC_ISSUER: without passwords and a provider nobody could sign in.");
  return wrong;
}

/** Validates a set of variables. @throws ConfigError with one line per invalid variable. */
export function readEnv(source: Record<string, string | undefined>): Env {
  const read = schema.safeParse(source);
  if (!read.success) {
    const lines = read.error.issues.map((issue) => `  ${issue.path.join(".")} ${issue.message}`);
    throw new ConfigError(`The configuration is invalid:\n${lines.join("\n")}`);
  }
  const env = { ...read.data, BASE_URL: read.data.BASE_URL ?? `http://localhost:${read.data.PORT}` };
  const contradictions = contradictionsOf(env).map((line) => `  ${line}`);
  if (contradictions.length > 0) throw new ConfigError(`The configuration is invalid:\n${contradictions.join("\n")}`);
  return env;
}

const state = processWide<{ env?: Env }>("env", () => ({}));

/** Reads the configuration of this process, at boot, and sets the public URL for next-auth. */
export function bootEnv(): Env {
  const env = setEnv(process.env);
  process.env.NEXTAUTH_URL = env.BASE_URL;
  return env;
}

/** Reads the configuration again with the port that the system chose for `PORT=0`, as Next does for its own servers. */
export function bootEnvOn(port: number): Env {
  process.env.PORT = `${port}`;
  return bootEnv();
}

/** The ingest key of a command. An environment variable, because other users of the machine can see arguments. */
export const ingestKeyFromEnv = (): string | undefined => process.env.INGEST_KEY;

/** What a child process may need to run and to reach Postgres with TLS: where things are, and nothing secret of ours. */
const NAMES_FOR_CHILDREN =
  /^(PATH|HOME|TMPDIR|TZ|LANG|LC_\w+|LD_LIBRARY_PATH|SYSTEMROOT|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|PGPASS(FILE|WORD)|PGSSL\w+)$/i;

/** Returns the environment of a child process: what it needs of this one's, and additional variables. */
export const environmentOfChild = (
  more: Record<string, string>,
  from: Record<string, string | undefined> = process.env,
) =>
  Object.fromEntries([
    ...Object.entries(from).filter(([name]) => NAMES_FOR_CHILDREN.test(name)),
    ...Object.entries(more),
  ]) as NodeJS.ProcessEnv;

/** The directories of `PATH`. */
export const searchPath = (): string[] => (process.env.PATH ?? "").split(path.delimiter).filter(Boolean);

/** Sets the configuration of this process from a set of variables. */
export function setEnv(source: Record<string, string | undefined>): Env {
  const env = readEnv(source);
  state.env = env;
  return env;
}

/** Returns the configuration of this process. */
export function env(): Env {
  const known = state.env;
  if (!known) throw new Fault("The configuration of this process has not been read");
  return known;
}
