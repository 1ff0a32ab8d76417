import { randomUUID } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import type { AnyOperation } from "@/lib/contract/define";
import { execute } from "@/lib/gateway/execute";
import { db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { keyOf, postEvents } from "@/lib/testing/measuring";
import { callApi, makeClient, type SendOptions, send, type TestSite } from "@/lib/testing/world";

/** Helpers for tests of reports: queries, visitors, shops and exchange rates. */

/**
 * Gives the tests of a file more report time than a slow and busy machine uses: all visitors of shared pages have one
 * share of it.
 */
export function patientVisitors(): void {
  const usual = env().REPORT_SECONDS;
  beforeAll(() => void Object.assign(env(), { REPORT_SECONDS: 3600 }));
  afterAll(() => void Object.assign(env(), { REPORT_SECONDS: usual }));
}

/** Returns the call of a report by the owner of the site, for `execute`. */
export const asOwner = (site: TestSite, input: object, now: string | Date) => ({
  principal: { kind: "owner" as const, personId: site.ownerId },
  input: { site_id: site.id, ...input },
  now: new Date(now),
});

/** Runs a report as the owner of the site. @returns its data, without its type. */
export const reportAsOwner = async (op: AnyOperation, site: TestSite, input: object, now: string) =>
  (await execute(op, asOwner(site, input, now))).data;

/** Calls a report over HTTP as an agent of the site's owner. @returns its data, or the error. */
export async function reportAsAgent(operation: string, site: TestSite, input: object, now: Date) {
  const { token } = await makeClient({ scopes: ["analytics:read"], sites: [site], personId: site.ownerId, now });
  const { body } = await callApi(operation, { token, input: { site_id: site.id, ...input }, now });
  return body.data ?? body.error;
}

/** Returns a function that sends events of named people; each name has its own address. */
export function people(site: TestSite) {
  const names: string[] = [];
  const addressOf = (name: string) => {
    if (!names.includes(name)) names.push(name);
    return `198.51.100.${names.indexOf(name) + 1}`;
  };
  return (name: string, at: string, event: string | object, more: SendOptions = {}) =>
    send(site, event, { at, address: addressOf(name), ...more });
}

/** Returns a function that sends events of a user through the Measurement Protocol. */
export async function shop(site: TestSite) {
  const { key } = await keyOf(site);
  return async (user: string, at: string, event: object) => {
    const { status, body } = await postEvents(
      [{ event_id: randomUUID().replaceAll("-", ""), user_id: user, ...event }],
      {
        key,
        at,
      },
    );
    if (status !== 200) throw new Error(`Not stored: ${JSON.stringify(body)}`);
  };
}

/** Sets the exchange rate of one euro on a day for a site; 0 is the default rate of all sites. */
export const rate = (siteId: number, currency: string, day: string, perEuro: string) =>
  db().exchangeRate.create({ data: { siteId, currency, day: new Date(`${day}T00:00:00Z`), perEuro } });
