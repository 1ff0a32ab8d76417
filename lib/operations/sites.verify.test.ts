import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { siteFor } from "@/lib/sites/access";
import { publicationOf } from "@/lib/sites/verification";
import { lookAtSite, settleLooks } from "@/lib/sites/verify";
import { CALL_TIME, call, makeMember, refused } from "@/lib/testing/calls";
import { type PagedSite, pagesForTests } from "@/lib/testing/own-page";
import { makeSite, type TestSite } from "@/lib/testing/world";

/** What proves a domain, what only shows that a site is installed, and who loses a domain to whom. */

const { paged, set } = pagesForTests();

/** The operation's own two halves, in the Internet of one of the sites. */
async function verify(site: TestSite, internet: PagedSite["internet"], now = CALL_TIME) {
  const looks = await lookAtSite(db(), site.id, now, internet);
  return db().$transaction(async (tx) => {
    const access = await siteFor(tx, { kind: "owner", personId: site.ownerId }, site.id, "manager");
    const by = { clientId: null, personId: site.ownerId, operation: "sites.verify", requestId: "test", now };
    return settleLooks(tx, access, looks, by);
  });
}
const domainOf = async (site: TestSite, internet: PagedSite["internet"], host: string) =>
  (await verify(site, internet)).domains.find(({ domain }) => domain === host);
const holderOf = async (host: string) => (await db().siteDomain.findUnique({ where: { host } }))?.siteId;
const outcomes = (domain: Awaited<ReturnType<typeof domainOf>>) =>
  Object.fromEntries((domain?.tried ?? []).map(({ method, outcome }) => [method, outcome]));

const snippet = (host: string) => `<script defer src="${env().BASE_URL}/script.js" data-domain="${host}"></script>`;
const head = (inside: string) => `<!doctype html><head>${inside}</head><body></body>`;

/** A site whose page and file say what they are told, in turn. */
async function speaking() {
  const says = { page: head(""), file: null as string | null };
  const site = await paged((request, response) => {
    if (request.url === "/") return void response.setHeader("content-type", "text/html").end(says.page);
    if (says.file === null || request.url !== "/.well-known/footfall-verification.txt")
      return void response.writeHead(404).end();
    response.end(says.file);
  });
  return { site, says, publish: publicationOf(site.id, site.host) };
}

/** Each way in which a site can prove its domain, and others that look like it and prove nothing. */
const WAYS: [
  what: string,
  method: string,
  outcome: string,
  publish: (on: Awaited<ReturnType<typeof speaking>>) => void,
][] = [
  [
    "the value in a TXT record",
    "dns",
    "found",
    ({ publish }) => set(publish.dns_name, { TXT: ["v=spf1 -all", publish.value] }),
  ],
  [
    "the value in the file",
    "file",
    "found",
    ({ says, publish }) => {
      says.file = `${publish.value}\n`;
    },
  ],
  [
    "the meta tag in the head",
    "meta",
    "found",
    ({ says, publish }) => {
      says.page = head(publish.meta_tag);
    },
  ],
  [
    "another site's value in a TXT record",
    "dns",
    "different",
    ({ publish, site }) => set(publish.dns_name, { TXT: [publicationOf(site.id + 1, site.host).value] }),
  ],
  [
    "the value within a longer file",
    "file",
    "different",
    ({ says, publish }) => {
      says.file = `x ${publish.value}`;
    },
  ],
  [
    "the meta tag in the body, where visitors may write",
    "meta",
    "missing",
    ({ says, publish }) => {
      says.page = `${head("")}<p>A comment${publish.meta_tag}`;
    },
  ],
  [
    "the meta tag in a comment",
    "meta",
    "missing",
    ({ says, publish }) => {
      says.page = head(`<!-- ${publish.meta_tag} -->`);
    },
  ],
];

test.each(WAYS)("%s is looked for by %s, and is %s", async (_, method, outcome, publish) => {
  const on = await speaking();
  publish(on);
  const { site } = on;
  const answer = await verify(site, site.internet);
  expect(answer.verified).toBe(outcome === "found");
  expect(outcomes(answer.domains[0])[method]).toBe(outcome);
  const kept = await db().siteDomain.findUniqueOrThrow({ where: { host: site.host } });
  expect(kept.verifiedAt).toEqual(outcome === "found" ? CALL_TIME : null);
});

test("a site without any proof is told what was seen in each place, what to publish and what to do", async () => {
  const { site, publish } = await speaking();
  const answer = await verify(site, site.internet);
  expect(answer).toMatchObject({ verified: false, domains: [{ standing: "unproven", publish }] });
  for (const { looked_at, seen, todo } of answer.domains[0]?.tried ?? []) {
    expect([looked_at !== "", /^[A-Z].*\.$/.test(seen), /^[A-Z].*\.$/.test(todo ?? "")]).toEqual([true, true, true]);
  }
  const settings = await call(site.ownerId, "sites.settings.get", { site_id: site.id });
  expect(settings.proof).toEqual(publish);
});

test("a redirect of the domain proves nothing when it leads to somebody else's server", async () => {
  const { site: other, says, publish } = await speaking();
  const site = await paged((_, response) => void response.writeHead(302, { location: `https://${other.host}/` }).end());
  says.page = head(publicationOf(site.id, site.host).meta_tag + snippet(site.host));
  expect(outcomes(await domainOf(site, site.internet, site.host))).toEqual({
    dns: "missing",
    file: "elsewhere",
    meta: "elsewhere",
    snippet: "elsewhere",
  });
  expect(publish.value).not.toBe(publicationOf(site.id, site.host).value);
});

test("the snippet shows that a site is installed, and neither proves its domain nor takes one from anybody", async () => {
  const { site, says } = await speaking();
  says.page = head(snippet(site.host));
  expect(await domainOf(site, site.internet, site.host)).toMatchObject({ standing: "installed" });
  const stranger = await makeSite();
  expect(
    (await refused(call(stranger.ownerId, "sites.domains.add", { site_id: stranger.id, domain: site.host })))?.code,
  ).toBe("domain_taken");
  const wanted = await domainOf(stranger, site.internet, site.host);
  expect([wanted?.standing, outcomes(wanted).snippet]).toEqual(["taken", "found"]);
  expect(await holderOf(site.host)).toBe(site.id);
});

test("who proves a domain takes it from a site that never did, whose owners get a letter", async () => {
  const { site: squatted } = await speaking();
  const owner = await makeSite();
  const refusal = await refused(call(owner.ownerId, "sites.domains.add", { site_id: owner.id, domain: squatted.host }));
  const prove = refusal?.details?.prove as { value: string; dns_name: string };
  expect(prove).toMatchObject({ domain: squatted.host, ...publicationOf(owner.id, squatted.host) });
  const before = await db().mail.count();
  set(prove.dns_name, { TXT: [prove.value] });
  expect(await domainOf(owner, squatted.internet, squatted.host)).toMatchObject({ standing: "proven", primary: false });
  expect(await holderOf(squatted.host)).toBe(owner.id);
  expect(await db().wantedDomain.count({ where: { siteId: owner.id } })).toBe(0);
  expect(await db().audit.count({ where: { siteId: squatted.id, operation: "sites.verify" } })).toBe(1);
  expect(await db().mail.count()).toBeGreaterThan(before);
  // The next domain of a site that has lost its only one is its primary one.
  const next = `${randomUUID()}.example.org`;
  expect(await call(squatted.ownerId, "sites.domains.add", { site_id: squatted.id, domain: next })).toMatchObject({
    domain: next,
    domains: [{ primary: true }],
  });
});

test("who proved a domain keeps it, whoever proves it afterwards", async () => {
  const { site, publish } = await speaking();
  const other = await makeSite();
  expect(
    (await refused(call(other.ownerId, "sites.domains.add", { site_id: other.id, domain: site.host })))?.code,
  ).toBe("domain_taken");
  set(publish.dns_name, { TXT: [publish.value, publicationOf(other.id, site.host).value] });
  await verify(site, site.internet);
  expect(await domainOf(other, site.internet, site.host)).toMatchObject({ standing: "taken" });
  expect(await holderOf(site.host)).toBe(site.id);
});

test("a name server that is away is no answer, and a site is looked at twenty times in ten minutes", async () => {
  const { site, publish } = await speaking();
  set(publish.dns_name, "servfail");
  expect(outcomes(await domainOf(site, site.internet, site.host)).dns).toBe("later");
  await db().rateCount.update({ where: { key: `verify:${site.id}` }, data: { hits: 20 } });
  expect(await refused(lookAtSite(db(), site.id, CALL_TIME, site.internet))).toMatchObject({
    code: "rate_limited",
    retryAfter: 600,
  });
});

test("a viewer may not verify a site", async () => {
  const site = await makeSite();
  const viewer = await makeMember(site.id, "viewer");
  expect((await refused(call(viewer, "sites.verify", { site_id: site.id })))?.code).toBe("role_denied");
});
