import { randomUUID } from "node:crypto";
import type { AnyOperation } from "@/lib/contract/define";
import { execute } from "@/lib/gateway/execute";
import { db } from "@/lib/platform/db";
import { keyOf, postEvents } from "@/lib/testing/measuring";
import { type SendOptions, send, type TestSite } from "@/lib/testing/world";

/** Helpers for tests of reports: queries, visitors, shops and exchange rates. */

/** Runs a report as the owner of the site. @returns its data. */
export const reportAsOwner = async (op: AnyOperation, site: TestSite, input: object, now: string) => {
  const principal = { kind: "owner" as const, personId: site.ownerId };
  const { data } = await execute(op, { principal, input: { site_id: site.id, ...input }, now: new Date(now) });
  return data;
};

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
