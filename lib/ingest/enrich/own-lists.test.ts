import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto";
import { writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readAgent } from "@/lib/ingest/enrich/agent";
import { classifyEvent } from "@/lib/ingest/enrich/classify";
import { dataCentreOf, isOperatorAddress } from "@/lib/ingest/enrich/lists";
import { bootOwnLists, parseOwnLists } from "@/lib/ingest/enrich/own-lists";
import { loadSignatureKeys } from "@/lib/ingest/enrich/web-bot-auth";
import { readSignatureDirectories } from "@/lib/jobs/signature-directories";
import { db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { postTo } from "@/lib/testing/foreign";
import { serversForTests } from "@/lib/testing/internet";
import { siteWithKey } from "@/lib/testing/measuring";
import { rowsOf } from "@/lib/testing/rows";
import { temporaryDir } from "@/lib/testing/temporary-dir";
import { CHROME, makeSite, post, type TestSite } from "@/lib/testing/world";

const { hosted } = serversForTests();

const hosts = Object.fromEntries(
  ["signer", "paths", "other", "late", "broken", "large", "elsewhere", "inside"].map((name) => [
    name,
    `${name}-${randomUUID()}.proof.example`,
  ]),
) as Record<"signer" | "paths" | "other" | "late" | "broken" | "large" | "elsewhere" | "inside", string>;
const agent = (host: string, operator: string) => ({ host, token: "Example Agent", operator, purpose: "agent" });

const LISTS = {
  ai_agents: [{ token: "ExampleOwnAI*", operator: "Example AI", purpose: "training" }],
  crawlers: [{ token: "ExampleOwnCrawler", operator: "Example Search", purpose: "search" }],
  crawler_addresses: [{ agents: ["ExampleOwnCrawler"], ranges: ["198.51.100.0/25", "2001:db8:77::/48"] }],
  data_centres: [{ network: "Example Hosting", ranges: ["192.0.2.0/25"] }],
  referrer_spam: ["https://own-spam.example/"],
  signature_agents: Object.values(hosts).map((host) =>
    agent(host, host === hosts.other ? "Other Company" : "Example AI"),
  ),
};

beforeAll(() => {
  const file = path.join(temporaryDir(afterAll), "lists.json");
  writeFileSync(file, JSON.stringify(LISTS));
  bootOwnLists({ LISTS_FILE: file, DATA_DIR: path.dirname(file) });
});

const classify = (userAgent: string, from = "", address: string | null = null) =>
  classifyEvent({ byAgent: readAgent(userAgent).verdict, from, address });

test("the operator's own entries are recognised beside those of the bundled lists", () => {
  expect(classify("ExampleOwnAIFetcher/2.0")).toMatchObject({
    traffic: "ai",
    operator: "Example AI",
    purpose: "training",
  });
  const crawler = "Mozilla/5.0 (compatible; ExampleOwnCrawler/1.0)";
  expect(classify(crawler, "", "198.51.100.9")).toMatchObject({
    traffic: "bot",
    operator: "Example Search",
    verified: "verified",
  });
  expect(classify(crawler, "", "198.51.100.200")).toMatchObject({ verified: "spoofed" });
  expect(isOperatorAddress("ExampleOwnCrawler", "2001:db8:77::1")).toBe(true);
  expect(dataCentreOf("192.0.2.9")).toBe("Example Hosting");
  expect(classify(CHROME, "www.own-spam.example/x")).toMatchObject({ traffic: "spam", bot: "own-spam.example" });
  expect(classify("GPTBot/1.0")).toMatchObject({ operator: "OpenAI" });
});

test.each([
  ["not JSON", "is no JSON"],
  [JSON.stringify({ ai_agent: [] }), "ai_agent"],
  [JSON.stringify({ ai_agents: [{ token: "X", operator: "Y", purpose: "fun" }] }), "ai_agents[0].purpose"],
  [JSON.stringify({ crawlers: [{ token: "(.*)+", operator: "Y", purpose: "search" }] }), "crawlers[0].token"],
  [
    JSON.stringify({ data_centres: [{ network: "X", ranges: ["192.0.2.0/24", "192.0.2.0/33"] }] }),
    "data_centres[0].ranges[1]",
  ],
  [JSON.stringify({ referrer_spam: ["co.uk"] }), "referrer_spam[0]: is a public suffix"],
  [JSON.stringify({ signature_agents: [agent("127.0.0.2", "X")] }), "signature_agents[0].host"],
  ["[]", "the file"],
])("own lists that are wrong are refused with the field and the way out: %s", (json, named) => {
  expect(() => parseOwnLists(json, "/data/lists.json")).toThrow(named);
  expect(() => parseOwnLists(json, "/data/lists.json")).toThrow(
    /^\/data\/lists\.json: .*Correct it, or move the file away/,
  );
});

/** Serves a directory at a host, and returns the settings to reach it. */
const directory = (host: string, answer: RequestListener) => hosted(answer, { host });

interface Signer {
  key: KeyObject;
  id: string;
  jwk: object;
}

function signer(): Signer {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const { x } = publicKey.export({ format: "jwk" });
  const jwk = { kty: "OKP", crv: "Ed25519", x };
  const id = createHash("sha256")
    .update(JSON.stringify({ crv: "Ed25519", kty: "OKP", x }))
    .digest("base64url");
  return { key: privateKey, id, jwk };
}

interface Signing {
  host: string;
  authority: string;
  created?: number;
  expires?: number;
  tag?: string;
  components?: string[];
  path?: string;
  /** The `Content-Digest` of the body (RFC 9530). */
  digest?: string;
  /** Later drafts make `Signature-Agent` a dictionary. */
  asDictionary?: boolean;
}

/** The headers of an agent that signs a request, by RFC 9421 and independent of the code that checks them. */
function signedHeaders(
  { key, id }: Signer,
  {
    host,
    authority,
    created = NOW_S,
    expires = NOW_S + 300,
    tag = "web-bot-auth",
    components,
    path = "/api/event",
    digest,
    asDictionary = false,
  }: Signing,
) {
  const url = `"https://${host}"`;
  const agentName = asDictionary ? '"signature-agent";key="sig1"' : '"signature-agent"';
  const digested = digest === undefined ? [] : ['"content-digest"'];
  const covered = components ?? ['"@authority"', '"@method"', '"@path"', agentName, ...digested];
  const values: Record<string, string> = {
    '"@authority"': authority,
    '"@method"': "POST",
    '"@path"': path,
    '"content-digest"': digest ?? "",
    '"user-agent"': CHROME,
    [agentName]: url,
  };
  const parameters = `(${covered.join(" ")});created=${created};keyid="${id}";alg="ed25519";expires=${expires};nonce="bm9uY2U=";tag="${tag}"`;
  const base = [...covered.map((name) => `${name}: ${values[name]}`), `"@signature-params": ${parameters}`].join("\n");
  return {
    signature: `sig1=:${sign(null, Buffer.from(base), key).toString("base64")}:`,
    "signature-input": `sig1=${parameters}`,
    "signature-agent": asDictionary ? `sig1=${url}` : url,
    ...(digest !== undefined && { "content-digest": digest }),
  };
}

const NOW = new Date("2025-03-04T12:00:00Z");
const NOW_S = NOW.getTime() / 1000;

/** The verdict of a visit whose request has these headers. */
async function verdictOf(site: TestSite, headers: Record<string, string>, userAgent = CHROME) {
  const page = { origin: `https://${site.host}`, "accept-language": "en" };
  const response = await post(site, "/", { at: NOW.toISOString(), userAgent, headers: { ...page, ...headers } });
  expect([response.status, headers]).toEqual([202, headers]);
  const [row] = await rowsOf<Record<string, string>[]>`
    SELECT verdict.traffic, bot, operator, purpose, verified FROM facts.visit
    LEFT JOIN facts.verdict AS verdict ON verdict.site_id = visit.site_id AND verdict.id = visit.verdict
    WHERE visit.site_id = ${site.id}`;
  return row;
}

test("a signature by a published key verifies an agent in the form of a browser, and every other one is spoofed", async () => {
  const [known, stranger] = [signer(), signer()];
  const { server, internet } = await directory(hosts.signer, (_, response) =>
    response.end(JSON.stringify({ keys: [known.jwk] })),
  );
  expect(await readSignatureDirectories(NOW, { hosts: [hosts.signer], internet })).toEqual([hosts.signer]);
  expect(server.requestedPaths).toEqual(["/.well-known/http-message-signatures-directory"]);
  expect(await readSignatureDirectories(NOW, { hosts: [hosts.signer], internet })).toEqual([]);
  await loadSignatureKeys(NOW);
  const host = hosts.signer;
  const cases: [string, Signer, (site: TestSite) => Partial<Signing>, string, string?][] = [
    ["signed for the site", known, () => ({}), "verified"],
    ["in the form of later drafts", known, () => ({ asDictionary: true }), "verified"],
    ["expired", known, () => ({ created: NOW_S - 900, expires: NOW_S - 300 }), "spoofed"],
    ["replayed after a day", known, () => ({ created: NOW_S - 90_000, expires: NOW_S - 86_400 }), "spoofed"],
    ["valid for longer than a day", known, () => ({ expires: NOW_S + 90_000 }), "spoofed"],
    ["from the future", known, () => ({ created: NOW_S + 600, expires: NOW_S + 900 }), "spoofed"],
    ["recorded at another host", known, () => ({ authority: "elsewhere.example" }), "spoofed"],
    ["without the host", known, () => ({ components: ['"@method"', '"signature-agent"'] }), "spoofed"],
    ["without the agent", known, () => ({ components: ['"@authority"', '"@method"'] }), "spoofed"],
    ["by a key that is not published", stranger, () => ({}), "spoofed"],
    ["by another key with the id of a published one", { ...stranger, id: known.id }, () => ({}), "spoofed"],
    [
      "over a header that ingest does not keep",
      known,
      () => ({ components: ['"@authority"', '"signature-agent"', '"user-agent"'] }),
      "claimed",
    ],
  ];
  for (const [name, by, more, verified] of cases) {
    const site = await makeSite();
    const found = await verdictOf(site, signedHeaders(by, { host, authority: site.host, ...more(site) }));
    expect([name, found]).toEqual([
      name,
      { traffic: "ai", bot: "Example Agent", operator: "Example AI", purpose: "agent", verified },
    ]);
  }
  const site = await makeSite();
  const other = await verdictOf(site, signedHeaders(known, { host, authority: site.host, tag: "other-use" }));
  expect(["a signature for another use", other?.traffic]).toEqual(["a signature for another use", null]);
});

test("the signature of an agent is checked on every path that takes events, with the body that it covers", async () => {
  const known = signer();
  const { internet } = await directory(hosts.paths, (_, response) =>
    response.end(JSON.stringify({ keys: [known.jwk] })),
  );
  await readSignatureDirectories(NOW, { hosts: [hosts.paths], internet });
  await loadSignatureKeys(NOW);
  const umami = (host: string) => ({ type: "event", payload: { website: host, hostname: host, url: "/" } });
  const page = { anonymousId: "a1", properties: { url: "/" }, context: { userAgent: CHROME } };
  const bodies: Record<string, (host: string) => unknown> = {
    "/api/event": (host) => ({ domain: host, name: "pageview", url: `https://${host}/` }),
    "/api/v1/events": (host) => ({
      events: [{ type: "page", context: { page: { url: `https://${host}/` }, session_id: "a1", user_agent: CHROME } }],
    }),
    "/api/send": umami,
    "/api/batch": (host) => [umami(host)],
    "/v1/page": (host) => ({ ...page, properties: { url: `https://${host}/` } }),
    "/v1/batch": (host) => ({ batch: [{ ...page, type: "page", properties: { url: `https://${host}/` } }] }),
  };
  const digestOf = (body: string) => `sha-256=:${createHash("sha256").update(body).digest("base64")}:`;
  for (const [path, bodyOf] of Object.entries(bodies)) {
    const verdicts: unknown[] = [];
    for (const wrong of ["", "path", "body"]) {
      const { site, key } = await siteWithKey();
      const body = JSON.stringify(bodyOf(site.host));
      const digest = digestOf(wrong === "body" ? `${body} ` : body);
      const signed = signedHeaders(known, {
        ...{ host: hosts.paths, authority: site.host, digest },
        path: wrong === "path" ? "/v1/elsewhere" : path,
      });
      const needsKey = path.includes("v1");
      const headers = { ...signed, ...(needsKey && { authorization: `Bearer ${key}` }) };
      const { status } = await postTo(path, body, { at: NOW.toISOString(), headers });
      expect([path, status]).toEqual([path, path === "/api/event" ? 202 : 200]);
      const [visit] = await rowsOf<{ bot: string; verified: string }[]>`
        SELECT bot, verified FROM facts.visit
        JOIN facts.verdict AS verdict ON verdict.site_id = visit.site_id AND verdict.id = visit.verdict
        WHERE visit.site_id = ${site.id}`;
      verdicts.push(visit);
    }
    const bot = "Example Agent";
    const [verified, spoofed] = [
      { bot, verified: "verified" },
      { bot, verified: "spoofed" },
    ];
    expect([path, ...verdicts]).toEqual([path, verified, spoofed, spoofed]);
  }
});

test("an agent whose keys are unknown is claimed, and one that names another operator than its signature is spoofed", async () => {
  const key = signer();
  const late = await makeSite();
  const headers = (host: string, site: TestSite) => signedHeaders(key, { host, authority: site.host });
  expect(await verdictOf(late, headers(hosts.late, late))).toMatchObject({ traffic: "ai", verified: "claimed" });
  const { internet } = await directory(hosts.other, (_, response) => response.end(JSON.stringify({ keys: [key.jwk] })));
  await readSignatureDirectories(NOW, { hosts: [hosts.other], internet });
  await loadSignatureKeys(NOW);
  const [named, unknown] = [await makeSite(), await makeSite()];
  const gptBot = "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)";
  expect(await verdictOf(named, headers(hosts.other, named), gptBot)).toMatchObject({
    bot: "GPTBot",
    verified: "spoofed",
  });
  expect(await verdictOf(unknown, headers("unlisted.example", unknown))).toMatchObject({ traffic: null });
});

test("headers that are no signature never change or refuse an event", async () => {
  const hostile: Record<string, string>[] = [
    { signature: "sig1=:AAAA:", "signature-input": "web-bot-auth", "signature-agent": '"https://' },
    {
      signature: ":::",
      "signature-input": 'sig1=("@authority");tag="web-bot-auth"',
      "signature-agent": '"https://chatgpt.com"',
    },
    {
      signature: "sig1=:AA==:",
      "signature-input": `sig1=(${'"a" '.repeat(300)});tag="web-bot-auth"`,
      "signature-agent": "x",
    },
    {
      signature: "x".repeat(5_000),
      "signature-input": 'a=();tag="web-bot-auth"',
      "signature-agent": '"https://chatgpt.com"',
    },
    { signature: "sig1=1", "signature-input": 'sig1=();tag="web-bot-auth"', "signature-agent": '"http://chatgpt.com"' },
    {
      signature: "sig1=:AA==:",
      "signature-input": 'sig1=();tag="web-bot-auth"',
      "signature-agent": '"https://127.0.0.1"',
    },
  ];
  for (const headers of hostile) expect(await verdictOf(await makeSite(), headers)).toMatchObject({ traffic: null });
});

test("a directory that is large, redirects, is at a private address or no directory is not read, and known keys stay", async () => {
  const key = signer();
  const body = JSON.stringify({ keys: [key.jwk] });
  const large = await directory(hosts.large, (_, response) => response.end(`${body}${" ".repeat(100_000)}`));
  const moved = await directory(hosts.elsewhere, (_, response) =>
    response.writeHead(302, { location: `https://${hosts.signer}/keys` }).end(),
  );
  const inside = await directory(hosts.inside, (_, response) => response.end(body));
  const read = (host: string, internet: object, now = NOW) =>
    readSignatureDirectories(now, { hosts: [host], internet });
  expect(await read(hosts.large, large.internet)).toEqual([]);
  expect(await read(hosts.elsewhere, moved.internet)).toEqual([]);
  expect(
    await readSignatureDirectories(NOW, { hosts: [hosts.inside], internet: inside.internet, source: "off" }),
  ).toEqual([]);
  expect(await read(hosts.inside, inside.guarded)).toEqual([]);
  expect(inside.server.connections()).toBe(0);
  // Another try within the hour is not made.
  expect(await read(hosts.inside, inside.internet, new Date(NOW.getTime() + 60_000))).toEqual([]);
  expect(inside.server.connections()).toBe(0);
  let answer = body;
  const broken = await directory(hosts.broken, (_, response) => response.end(answer));
  expect(await read(hosts.broken, broken.internet)).toEqual([hosts.broken]);
  answer = "<html>";
  expect(await read(hosts.broken, broken.internet, new Date(NOW.getTime() + 2 * DAY_MS))).toEqual([]);
  expect(await db().signatureDirectory.findUnique({ where: { host: hosts.broken } })).toMatchObject({
    keys: [{ x: (key.jwk as { x: string }).x }],
    readAt: NOW,
  });
});
