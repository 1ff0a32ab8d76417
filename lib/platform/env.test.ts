import { expect, test } from "vitest";
import { ConfigError, environmentOfChild, readEnv } from "@/lib/platform/env";

const faults = (source: Record<string, string>) => {
  try {
    readEnv(source);
    return "";
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
};

test("without any variable the defaults apply", () => {
  const env = readEnv({});
  expect(env).toMatchObject({ PORT: 3000, HOST: "127.0.0.1", BASE_URL: "http://localhost:3000", SIGNUP: "open" });
  expect(env.DATA_DIR).toMatch(/\/data$/);
  expect(env.DATABASE_URL).toBeUndefined();
});

test("an empty variable counts as unset, and a trailing slash of BASE_URL is removed", () => {
  const env = readEnv({ PORT: "", DATABASE_URL: "", BASE_URL: "https://stats.example.com/" });
  expect(env).toMatchObject({ PORT: 3000, BASE_URL: "https://stats.example.com" });
});

test.each([
  ["PORT", "-1"],
  ["PORT", "http"],
  ["BASE_URL", "stats.example.com"],
  ["DNS_SERVERS", "dns.example.com"],
  ["DNS_SERVERS", "192.0.2.53:dns"],
  ["BASE_URL", "https://x.example/?a=1"],
  ["BASE_URL", "https://x.example/stats"],
  ["DATABASE_URL", "mysql://x"],
  ["APP_SECRETS", "secret"],
  ["APP_SECRETS", "k1:dG9vIHNob3J0"],
  ["ALLOWED_HOSTS", "https://stats.internal"],
  ["ALLOWED_HOSTS", "stats.internal:80"],
  ["ALLOWED_HOSTS", "stats.internal/path"],
  ["ALLOWED_HOSTS", "a b"],
  ["TRUSTED_PROXIES", "10.0.0.0/33"],
  ["TRUSTED_PROXIES", "proxy.internal"],
  ["SMTP_URL", "mail.example.com"],
  ["SIGNUP", "perhaps"],
  ["EVENTS_PER_MONTH", "-5"],
  ["UNPROVEN_EVENTS_PER_MONTH", "none"],
  ["UNPROVEN_EVENTS_PER_MONTH", "0"],
  ["SITES_PER_ACCOUNT", "0"],
  ["DOMAINS_PER_SITE", "many"],
  ["LOG_LEVEL", "loud"],
])("%s=%s is refused, naming the variable", (name, value) => {
  expect(faults({ [name]: value })).toContain(`  ${name} `);
});

test("one error names every invalid variable", () => {
  const message = faults({ PORT: "x", SIGNUP: "x" });
  expect(message).toContain("  PORT ");
  expect(message).toContain("  SIGNUP ");
});

test("DATABASE_URL in production requires APP_SECRETS", () => {
  const message = faults({ DATABASE_URL: "postgres://db/x", NODE_ENV: "production" });
  expect(message).toContain("APP_SECRETS must be set");
});

test("allowed hosts are normalised like the hosts of URLs", () => {
  const { ALLOWED_HOSTS } = readEnv({ ALLOWED_HOSTS: "Stats.Internal, 192.0.2.7,[2001:DB8::7]" });
  expect(ALLOWED_HOSTS).toEqual(["stats.internal", "192.0.2.7", "[2001:db8::7]"]);
});

test("name servers are IP addresses with an optional port", () => {
  const servers = ["192.0.2.53", "192.0.2.53:5353", "2001:db8::53", "[2001:db8::53]", "[2001:db8::53]:5353"];
  expect(readEnv({ DNS_SERVERS: servers.join(", ") }).DNS_SERVERS).toEqual(servers);
});

test("a child process gets where things are, and none of the secrets", () => {
  const secret = {
    APP_SECRETS: "k1:x",
    DATABASE_URL: "postgres://a",
    SMTP_URL: "smtp://a",
    METRICS_TOKEN: "x",
    NODE_OPTIONS: "x",
  };
  const needed = { PATH: "/bin", HOME: "/root", TZ: "UTC", NODE_EXTRA_CA_CERTS: "/ca.pem", PGSSLROOTCERT: "/root.pem" };
  expect(environmentOfChild({ MORE: "1" }, { ...secret, ...needed })).toEqual({ ...needed, MORE: "1" });
});
