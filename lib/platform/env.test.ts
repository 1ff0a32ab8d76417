import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ConfigError, environmentOfChild, readEnv, VARIABLES } from "@/lib/platform/env";

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

test("a BASE_URL with a path is refused with the reason, and what to set instead", () => {
  expect(faults({ BASE_URL: "https://example.com/footfall" })).toContain(
    "BASE_URL must be only scheme, host and port: Footfall needs a host name of its own, such as https://stats.example.com",
  );
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
  ["DEMO_SITE", "https://example.com/"],
  ["LOG_LEVEL", "loud"],
  ["OIDC_ISSUER", "login.example.com"],
  ["OIDC_ISSUER", "http://login.example.com"],
  ["OIDC_ISSUER", "http://127.0.0.1.evil.example"],
  ["OIDC_ISSUER", "https://login.example.com/?realm=main"],
  ["OIDC_NAME", "x".repeat(41)],
  ["SEARCH_STAND_IN", "https://127.0.0.1:4000"],
  ["SEARCH_STAND_IN", "http://search.example"],
  ["SEARCH_STAND_IN", "http://127.0.0.1:4000/path"],
  ["SEARCH_STAND_IN", "http://127.0.0.1.evil.example"],
  ["SEARCH_STAND_IN", "http://user@127.0.0.1:4000"],
  ["OIDC_ALLOWED_DOMAINS", "@example.com"],
  ["OIDC_ALLOWED_DOMAINS", "*.example.com"],
  ["PASSWORD_SIGN_IN", "no"],
])("%s=%s is refused, naming the variable", (name, value) => {
  expect(faults({ [name]: value })).toContain(`  ${name} `);
});

test("one error names every invalid variable", () => {
  const message = faults({ PORT: "x", SIGNUP: "x" });
  expect(message).toContain("  PORT ");
  expect(message).toContain("  SIGNUP ");
});

const PROVIDER = { OIDC_ISSUER: "https://login.example.com/", OIDC_CLIENT_ID: "a", OIDC_CLIENT_SECRET: "b" };

test("a provider needs issuer, client and secret; the issuer stays as it is written", () => {
  expect(readEnv(PROVIDER).OIDC_ISSUER).toBe("https://login.example.com/");
  expect(readEnv({ ...PROVIDER, OIDC_ISSUER: "http://127.0.0.1:8080" }).OIDC_ISSUER).toBe("http://127.0.0.1:8080");
  for (const name of Object.keys(PROVIDER))
    expect(faults({ ...PROVIDER, [name]: "" }), name).toContain(`  ${name} must be set too`);
  expect(faults({ OIDC_NAME: "Login" })).toContain("OIDC_ISSUER and OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set");
  expect(faults({ OIDC_ALLOWED_DOMAINS: "example.com" })).toContain("must be set too");
});

test("passwords are turned off only where a provider signs people in", () => {
  expect(faults({ PASSWORD_SIGN_IN: "off" })).toContain("PASSWORD_SIGN_IN=off requires OIDC_ISSUER");
  expect(readEnv({ ...PROVIDER, PASSWORD_SIGN_IN: "off" }).PASSWORD_SIGN_IN).toBe("off");
});

test("allowed domains are normalised like the hosts of URLs", () => {
  const { OIDC_ALLOWED_DOMAINS } = readEnv({ ...PROVIDER, OIDC_ALLOWED_DOMAINS: "Example.com, bücher.example" });
  expect(OIDC_ALLOWED_DOMAINS).toEqual(["example.com", "xn--bcher-kva.example"]);
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

test("a client of a search engine needs its id and its secret", () => {
  const half = faults({ GOOGLE_SEARCH_CONSOLE_CLIENT_ID: "a" });
  expect(half).toContain("GOOGLE_SEARCH_CONSOLE_CLIENT_SECRET must be set too");
  expect(faults({ BING_WEBMASTER_CLIENT_SECRET: "b" })).toContain("BING_WEBMASTER_CLIENT_ID must be set too");
  const both = {
    BING_WEBMASTER_CLIENT_ID: "a",
    BING_WEBMASTER_CLIENT_SECRET: "b",
    SEARCH_STAND_IN: "http://127.0.0.1:4000",
  };
  expect(readEnv(both)).toMatchObject(both);
});

test("docs/operating.md explains every variable, and compose.yaml passes on each that does not belong to its image", () => {
  const text = (file: string) => readFileSync(file, "utf8");
  const [explained, passed] = [text("docs/operating.md"), text("compose.yaml")];
  const ofImage = ["PORT", "HOST", "DATA_DIR", "NODE_ENV"];
  const forTests = ["SEARCH_STAND_IN"];
  const isPassed = (name: string) => passed.includes(`      ${name}: `) || [...ofImage, ...forTests].includes(name);
  expect(VARIABLES.filter((name) => name !== "NODE_ENV" && !explained.includes(`\`${name}\``))).toEqual([]);
  expect(VARIABLES.filter((name) => !isPassed(name))).toEqual([]);
});
