import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { call, faults, makeMember, refused, revisionOf, summaryOf } from "@/lib/testing/calls";
import { makeSite, post, type TestSite } from "@/lib/testing/world";

type Domain = { domain_id: number; domain: string; primary: boolean };

const freshHost = () => `${randomUUID()}.example`;
const add = (site: TestSite, domain: string, personId = site.ownerId) =>
  call(personId, "sites.domains.add", { site_id: site.id, domain });
const makePrimary = (site: TestSite, domain_id: number) =>
  call(site.ownerId, "sites.domains.primary", { site_id: site.id, domain_id });
const remove = (site: TestSite, domain_id: number) =>
  call(site.ownerId, "sites.domains.delete", { site_id: site.id, domain_id });
const idOf = (answer: { domains: Domain[] }, host: string) =>
  answer.domains.find(({ domain }) => domain === host)?.domain_id ?? 0;

test("an added domain is normalised, and the primary domain does not change", async () => {
  const site = await makeSite();
  const host = freshHost();
  const answer = await add(site, `https://WWW.${host}:8443/path`);
  expect(answer).toMatchObject({ domain: site.host });
  expect(answer.domains.map(({ domain, primary }: Domain) => [domain, primary])).toEqual([
    [site.host, true],
    [host, false],
  ]);
  expect((await post({ host }, "/")).status).toBe(202);
});

test("adding an existing domain returns the unchanged site", async () => {
  const site = await makeSite();
  const host = freshHost();
  const first = await add(site, host);
  const revision = await revisionOf(site.id);
  expect(await add(site, `www.${host}`)).toEqual(first);
  expect(await add(site, site.host)).toEqual(first);
  expect(await revisionOf(site.id)).toBe(revision);
});

test("a domain of another site is refused as domain_taken, and the site does not change", async () => {
  const [site, other] = [await makeSite(), await makeSite()];
  expect(await refused(add(site, other.host))).toMatchObject({
    code: "domain_taken",
    details: { issues: [{ path: "domain", message: "already belongs to another site" }] },
  });
  expect((await call(site.ownerId, "sites.settings.get", { site_id: site.id })).domains).toHaveLength(1);
  expect(await revisionOf(site.id)).toBe(1);
});

test("of twelve sites adding one domain concurrently, one gets it and the others get domain_taken", async () => {
  const host = freshHost();
  const sites = await Promise.all(Array.from({ length: 12 }, () => makeSite()));
  const tries = await Promise.all(sites.map((site) => refused(add(site, host))));
  expect(tries.filter((refusal) => refusal === null)).toHaveLength(1);
  expect(new Set(tries.filter(Boolean).map((refusal) => refusal?.code))).toEqual(new Set(["domain_taken"]));
});

test("twelve concurrent additions of one domain to one site all succeed and add it once", async () => {
  const site = await makeSite();
  const host = freshHost();
  const answers = await Promise.all(Array.from({ length: 12 }, () => add(site, host)));
  for (const { domains } of answers) expect(domains).toHaveLength(2);
  expect(await revisionOf(site.id)).toBe(2);
});

test("an invalid domain is refused with the reason", async () => {
  const site = await makeSite();
  expect(await faults(add(site, "192.0.2.7"))).toEqual(["domain: is an IP address; enter a domain name"]);
  expect(await faults(add(site, "x".repeat(270)))).toEqual(["domain: must have at most 269 characters"]);
  expect((await faults(add(site, "co.uk")))[0]).toContain("public suffix");
});

test("a viewer cannot add a domain", async () => {
  const site = await makeSite();
  expect((await refused(add(site, freshHost(), await makeMember(site.id, "viewer"))))?.code).toBe("role_denied");
});

test("making a domain primary replaces the previous one, and repeating it changes nothing", async () => {
  const site = await makeSite();
  const host = freshHost();
  const id = idOf(await add(site, host), host);
  const answer = await makePrimary(site, id);
  expect(answer.domain).toBe(host);
  expect(answer.domains.map(({ domain, primary }: Domain) => [domain, primary])).toEqual([
    [host, true],
    [site.host, false],
  ]);
  const revision = await revisionOf(site.id);
  expect(await makePrimary(site, id)).toEqual(answer);
  expect(await revisionOf(site.id)).toBe(revision);
});

test("concurrent changes of the primary domain leave exactly one", async () => {
  const site = await makeSite();
  const hosts = Array.from({ length: 6 }, freshHost);
  for (const host of hosts) await add(site, host);
  const { domains } = await call(site.ownerId, "sites.settings.get", { site_id: site.id });
  await Promise.all(domains.map(({ domain_id }: Domain) => makePrimary(site, domain_id)));
  const after = await call(site.ownerId, "sites.settings.get", { site_id: site.id });
  expect(after.domains.filter(({ primary }: Domain) => primary)).toHaveLength(1);
});

test("a domain made primary and deleted concurrently ends as exactly one of the two", async () => {
  for (let round = 0; round < 5; round++) {
    const site = await makeSite();
    const host = freshHost();
    const id = idOf(await add(site, host), host);
    const refusals = await Promise.all([refused(makePrimary(site, id)), refused(remove(site, id))]);
    expect(refusals.filter((refusal) => refusal === null)).toHaveLength(1);
    const { domains } = await call(site.ownerId, "sites.settings.get", { site_id: site.id });
    expect(domains.filter(({ primary }: Domain) => primary)).toHaveLength(1);
  }
});

test("a deleted domain is removed from the site, and another site can add it", async () => {
  const [site, other] = [await makeSite(), await makeSite()];
  const host = freshHost();
  const answer = await remove(site, idOf(await add(site, host), host));
  expect(answer.domains.map(({ domain }: Domain) => domain)).toEqual([site.host]);
  expect((await add(other, host)).domains).toHaveLength(2);
});

test("the only domain cannot be deleted, and the error says what to do first", async () => {
  const site = await makeSite();
  const { domains } = await call(site.ownerId, "sites.settings.get", { site_id: site.id });
  expect(await faults(remove(site, domains[0].domain_id))).toEqual([
    `domain_id: is ${site.host}, the only domain of the site; first add another one with sites.domains.add and make it primary, or delete the site with sites.delete`,
  ]);
});

test("the primary domain cannot be deleted, and the error says what to do first", async () => {
  const site = await makeSite();
  const answer = await add(site, freshHost());
  expect(await faults(remove(site, idOf(answer, site.host)))).toEqual([
    `domain_id: is ${site.host}, the primary domain; first make another domain primary with sites.domains.primary`,
  ]);
});

test("foreign, missing and out-of-range domain ids are not found", async () => {
  const [site, other] = [await makeSite(), await makeSite()];
  const foreign = await call(other.ownerId, "sites.settings.get", { site_id: other.id });
  for (const id of [foreign.domains[0].domain_id, 2 ** 31 - 1, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
    expect((await refused(remove(site, id)))?.code, `${id}`).toBe("not_found");
    expect((await refused(makePrimary(site, id)))?.code, `${id}`).toBe("not_found");
  }
  expect(await faults(remove(site, 0))).toEqual(["domain_id: must be a whole number, 1 or more"]);
});

test("the summary shows domain names, and a refused change needs no approval", async () => {
  const site = await makeSite();
  const host = freshHost();
  const answer = await add(site, host);
  const domain_id = idOf(answer, host);
  expect(await summaryOf(site.ownerId, site.id, "sites.domains.primary", { domain_id })).toEqual([
    { label: "Primary domain", before: site.host, after: host },
  ]);
  expect(await summaryOf(site.ownerId, site.id, "sites.domains.delete", { domain_id })).toEqual([
    { label: "Domain", before: host, after: null },
    { label: `Events sent for ${host}`, before: "Counted", after: "Refused" },
  ]);
  const primary = { domain_id: idOf(answer, site.host) };
  expect((await refused(summaryOf(site.ownerId, site.id, "sites.domains.delete", primary)))?.code).toBe(
    "invalid_input",
  );
});
