import { randomUUID } from "node:crypto";
import type { AnyOperation } from "@/lib/contract/define";
import { execute } from "@/lib/gateway/execute";
import { db } from "@/lib/platform/db";
import { keyOf, postEvents } from "@/lib/testing/measuring";
import { type Sending, send, type TestSite } from "@/lib/testing/world";

/** What tests of reports share: who asks, who visits, and what money is worth. */

/** Asks a report as the site's owner. */
export const askReport = async (op: AnyOperation, site: TestSite, input: object, now: string) => {
  const principal = { kind: "owner" as const, personId: site.ownerId };
  const { data } = await execute(op, { principal, input: { site_id: site.id, ...input }, now: new Date(now) });
  return data;
};

/** People by their names: everyone has an address of their own. */
export function people(site: TestSite) {
  const names: string[] = [];
  const addressOf = (name: string) => {
    if (!names.includes(name)) names.push(name);
    return `198.51.100.${names.indexOf(name) + 1}`;
  };
  return (name: string, at: string, event: string | object, more: Sending = {}) =>
    send(site, event, { at, address: addressOf(name), ...more });
}

/** A shop's server: each event of a user at a time, in the words of the Measurement Protocol. */
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

/** What one euro is worth on a day, as a site sees it; with 0 as everyone does. */
export const rate = (siteId: number, currency: string, day: string, perEuro: string) =>
  db().exchangeRate.create({ data: { siteId, currency, day: new Date(`${day}T00:00:00Z`), perEuro } });
