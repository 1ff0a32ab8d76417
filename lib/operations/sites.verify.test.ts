import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { publicationOf } from "@/lib/sites/verification";
import { checkDomains } from "@/lib/sites/verify";
import { CALL_TIME, call, makeMember, refused } from "@/lib/testing/calls";
import { emailsOf } from "@/lib/testing/emails";
import { type PagedSite, pagesForTests } from "@/lib/testing/own-page";
import { holderOf, verifyDomains } from "@/lib/testing/verified-domains";
import { makeSite, type TestSite } from "@/lib/testing/world";
import { inLanguage } from "@/lib/texts/in-language";

/** What verifies a domain, what only shows an installation, and when a domain moves to another site. */

const { paged, set } = pagesForTests();

/** Runs both parts of the operation, with the simulated internet of one site. */
const verify = (site: TestSite, internet: PagedSite["internet"]) => verifyDomains(site, CALL_TIME, internet);
const domainOf = async (site: TestSite, internet: PagedSite["internet"], host: string) =>
  (await verify(site, internet)).domains.find(({ domain }) => domain === host);
const outcomes = (domain: Awaited<ReturnType<typeof domainOf>>) =>
  Object.fromEntries((domain?.tried ?? []).map(({ method, outcome }) => [method, outcome]));

const snippet = (host: string) => `<script defer src="${env().BASE_URL}/script.js" data-domain="${host}"></script>`;
const head = (inside: string) => `<!doctype html><head>${inside}</head><body></body>`;

/** Creates a site whose page and file can be changed by the test. */
async function siteWithPage() {
  const content = { page: head(""), file: null as string | null };
  const site = await paged((request, response) => {
    if (request.url === "/") return void response.setHeader("content-type", "text/html").end(content.page);
    if (content.file === null || request.url !== "/.well-known/footfall-verification.txt")
      return void response.writeHead(404).end();
    response.end(content.file);
  });
  return { site, content, publish: publicationOf(site.id, site.host) };
}

/** Valid proofs of a domain, and similar ones that prove nothing. */
const PROOFS: [
  what: string,
  method: string,
  outcome: string,
  publish: (on: Awaited<ReturnType<typeof siteWithPage>>) => void,
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
    ({ content, publish }) => {
      content.file = `${publish.value}\n`;
    },
  ],
  [
    "the meta tag in the head",
    "meta",
    "found",
    ({ content, publish }) => {
      content.page = head(publish.meta_tag);
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
    ({ content, publish }) => {
      content.file = `x ${publish.value}`;
    },
  ],
  [
    "the meta tag in the body, where visitors may write",
    "meta",
    "missing",
    ({ content, publish }) => {
      content.page = `${head("")}<p>A comment${publish.meta_tag}`;
    },
  ],
  [
    "the meta tag in a comment",
    "meta",
    "missing",
    ({ content, publish }) => {
      content.page = head(`<!-- ${publish.meta_tag} -->`);
    },
  ],
];

test.each(PROOFS)("%s, checked by %s, is %s", async (_, method, outcome, publish) => {
  const on = await siteWithPage();
  publish(on);
  const { site } = on;
  const answer = await verify(site, site.internet);
  expect(answer.verified).toBe(outcome === "found");
  expect(outcomes(answer.domains[0])[method]).toBe(outcome);
  const stored = await db().siteDomain.findUniqueOrThrow({ where: { host: site.host } });
  expect(stored.verifiedAt).toEqual(outcome === "found" ? CALL_TIME : null);
});

test("without any proof, the answer content what was found in each place, what to publish and what to do", async () => {
  const { site, publish } = await siteWithPage();
  const answer = await verify(site, site.internet);
  expect(answer).toMatchObject({ verified: false, domains: [{ standing: "unproven", publish }] });
  for (const { looked_at, seen, todo } of answer.domains[0]?.tried ?? []) {
    expect([looked_at !== "", /^[A-Z].*\.$/.test(seen), /^[A-Z].*\.$/.test(todo ?? "")]).toEqual([true, true, true]);
  }
  const settings = await call(site.ownerId, "sites.settings.get", { site_id: site.id });
  expect(settings.proof).toEqual(publish);
});

test("a reader of German is told in German what was found in each place and what to do", async () => {
  const { site, content } = await siteWithPage();
  content.file = "another value";
  const english = await verify(site, site.internet);
  const german = await inLanguage("de", () => verify(site, site.internet));
  const textsOf = ({ domains }: typeof english) =>
    domains.flatMap(({ about, tried }) => [about, ...tried.flatMap(({ seen, todo }) => [seen, todo])]);
  expect(textsOf(german)).toContain("Es gibt keinen TXT-Eintrag mit diesem Namen.");
  expect(textsOf(german)).toContain("Die Datei enthält: another value");
  expect(textsOf(german).filter((text) => textsOf(english).includes(text))).toEqual([]);
});

test("a redirect to another server proves nothing", async () => {
  const { site: other, content, publish } = await siteWithPage();
  const site = await paged((_, response) => void response.writeHead(302, { location: `https://${other.host}/` }).end());
  content.page = head(publicationOf(site.id, site.host).meta_tag + snippet(site.host));
  expect(outcomes(await domainOf(site, site.internet, site.host))).toEqual({
    dns: "missing",
    file: "elsewhere",
    meta: "elsewhere",
    snippet: "elsewhere",
  });
  expect(publish.value).not.toBe(publicationOf(site.id, site.host).value);
});

test("the snippet shows an installation, but neither verifies the domain nor moves it from another site", async () => {
  const { site, content } = await siteWithPage();
  content.page = head(snippet(site.host));
  expect(await domainOf(site, site.internet, site.host)).toMatchObject({ standing: "installed" });
  const stranger = await makeSite();
  expect(
    (await refused(call(stranger.ownerId, "sites.domains.add", { site_id: stranger.id, domain: site.host })))?.code,
  ).toBe("domain_taken");
  const wanted = await domainOf(stranger, site.internet, site.host);
  expect([wanted?.standing, outcomes(wanted).snippet]).toEqual(["taken", "found"]);
  expect(await holderOf(site.host)).toBe(site.id);
});

test("a proof moves the domain from a site that never verified it, and its owners are emailed", async () => {
  const { site: squatted } = await siteWithPage();
  const owner = await makeSite();
  const refusal = await refused(call(owner.ownerId, "sites.domains.add", { site_id: owner.id, domain: squatted.host }));
  const prove = refusal?.details?.prove as { value: string; dns_name: string };
  expect(prove).toMatchObject({ domain: squatted.host, ...publicationOf(owner.id, squatted.host) });
  set(prove.dns_name, { TXT: [prove.value] });
  expect(await domainOf(owner, squatted.internet, squatted.host)).toMatchObject({ standing: "proven", primary: false });
  expect(await holderOf(squatted.host)).toBe(owner.id);
  expect(await db().wantedDomain.count({ where: { siteId: owner.id } })).toBe(0);
  expect(await db().audit.count({ where: { siteId: squatted.id, operation: "sites.verify" } })).toBe(1);
  expect(await emailsOf(squatted.ownerId)).toHaveLength(1);
  // The next domain of a site without domains becomes its primary one.
  const next = `${randomUUID()}.example.org`;
  expect(await call(squatted.ownerId, "sites.domains.add", { site_id: squatted.id, domain: next })).toMatchObject({
    domain: next,
    domains: [{ primary: true }],
  });
});

test("a verified domain stays with its site, even if another site proves it later", async () => {
  const { site, publish } = await siteWithPage();
  const other = await makeSite();
  expect(
    (await refused(call(other.ownerId, "sites.domains.add", { site_id: other.id, domain: site.host })))?.code,
  ).toBe("domain_taken");
  set(publish.dns_name, { TXT: [publish.value, publicationOf(other.id, site.host).value] });
  await verify(site, site.internet);
  expect(await domainOf(other, site.internet, site.host)).toMatchObject({ standing: "taken" });
  expect(await holderOf(site.host)).toBe(site.id);
});

test("a failing name server gives the outcome later, and a site is checked at most 20 times in ten minutes", async () => {
  const { site, publish } = await siteWithPage();
  set(publish.dns_name, "servfail");
  expect(outcomes(await domainOf(site, site.internet, site.host)).dns).toBe("later");
  await db().rateCount.update({ where: { key: `verify:${site.id}` }, data: { hits: 20 } });
  expect(await refused(checkDomains(db(), site.id, CALL_TIME, site.internet))).toMatchObject({
    code: "rate_limited",
    retryAfter: 600,
  });
});

test("a viewer cannot verify a site", async () => {
  const site = await makeSite();
  const viewer = await makeMember(site.id, "viewer");
  expect((await refused(call(viewer, "sites.verify", { site_id: site.id })))?.code).toBe("role_denied");
});
