import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { invalidInput, Refusal } from "@/lib/contract/errors";
import { type Db, db } from "@/lib/db";
import { seal, unseal } from "@/lib/secrets";
import { changePeople, type PeopleChange } from "@/lib/sites/members";

/**
 * Where a site's incidents are posted to, signed as Standard Webhooks says (https://www.standardwebhooks.com): headers
 * `webhook-id`, `webhook-timestamp` (seconds) and `webhook-signature`, an HMAC-SHA256 of `id.timestamp.body`. The id of a
 * message is the same at every try, so that a receiver can tell a repetition.
 */

/** How long the secret before the newest signs too. */
const OVERLAP_MS = 24 * 3600_000;
const MOST_SHOWN = 5;

const secretPlace = (siteId: number) => `webhook.secret:${siteId}`;
const previousPlace = (siteId: number) => `webhook.previous:${siteId}`;

/** A site's webhook as its managers see it. */
export interface WebhookShape {
  url: string;
  /** Until when the secret before the newest signs too; null when it does not. */
  previousUntil: Date | null;
  /** The latest messages, newest first. */
  deliveries: Delivery[];
}

export interface Delivery {
  id: string;
  type: string;
  createdAt: Date;
  deliveredAt: Date | null;
  /** When it is tried next; null when it is over. */
  sendAfter: Date | null;
  /** What the last try came to, in words; null before the first. */
  outcome: string | null;
}

/** The webhook of a site; null when it has none. */
export async function readWebhook(siteId: number, now: Date): Promise<WebhookShape | null> {
  const deliveries = {
    orderBy: [{ createdAt: "desc" }, { id: "asc" }] as const,
    take: MOST_SHOWN,
    select: { id: true, type: true, createdAt: true, deliveredAt: true, sendAfter: true, outcome: true },
  };
  const row = await db().webhook.findUnique({
    where: { siteId },
    select: { url: true, previousUntil: true, deliveries: { ...deliveries, orderBy: [...deliveries.orderBy] } },
  });
  return row && { ...row, previousUntil: row.previousUntil && row.previousUntil > now ? row.previousUntil : null };
}

/**
 * A manager says where incidents are posted to. The first time a secret is made, which is shown once; a further address
 * keeps it.
 *
 * @throws Refusal as `siteFor` does for who may not.
 */
export async function setWebhook(by: PeopleChange, url: string): Promise<{ secret: string | null }> {
  const { siteId, now } = by;
  // The rest of an address is often a secret itself, and the audit outlives webhook and site.
  const what = { operation: "webhooks.set", detail: { host: new URL(url).hostname } };
  return changePeople(by, "manager", what, async (tx) => {
    const { count } = await tx.webhook.updateMany({ where: { siteId }, data: { url } });
    if (count > 0) return { secret: null };
    const secret = randomBytes(32);
    await tx.webhook.create({ data: { siteId, url, secret: sealed(secret, secretPlace(siteId)), createdAt: now } });
    return { secret: inText(secret) };
  });
}

/** A manager makes a new secret; the present one signs beside it for a day. @throws Refusal `not_found` without a webhook. */
export async function rotateSecret(by: PeopleChange): Promise<{ secret: string }> {
  const { siteId, now } = by;
  return changePeople(by, "manager", { operation: "webhooks.rotate", detail: {} }, async (tx) => {
    const known = await tx.webhook.findUnique({ where: { siteId } });
    if (!known) throw noWebhook();
    const [old, secret] = [unseal(known.secret, secretPlace(siteId)), randomBytes(32)];
    const data = {
      secret: sealed(secret, secretPlace(siteId)),
      previousSecret: sealed(old, previousPlace(siteId)),
      previousUntil: new Date(now.getTime() + OVERLAP_MS),
    };
    await tx.webhook.update({ where: { siteId }, data });
    return { secret: inText(secret) };
  });
}

/** A manager ends the webhook; what was not delivered is not sent any more. @throws Refusal `not_found` without one. */
export async function removeWebhook(by: PeopleChange): Promise<void> {
  await changePeople(by, "manager", { operation: "webhooks.remove", detail: {} }, async (tx) => {
    const { count } = await tx.webhook.deleteMany({ where: { siteId: by.siteId } });
    if (count === 0) throw noWebhook();
  });
}

/** A manager has a message sent that means nothing. @returns its id. @throws Refusal `not_found` without a webhook. */
export async function queueTest(by: PeopleChange): Promise<string> {
  const { siteId, now } = by;
  return changePeople(by, "manager", { operation: "webhooks.test", detail: {} }, async (tx, site) => {
    const id = await queueDelivery(tx, siteId, "test", { site_id: siteId, domain: site.domain }, now);
    if (!id) throw noWebhook();
    return id;
  });
}

/** Puts a message on its way as part of the caller's transaction, when the site has a webhook. @returns its id. */
export async function queueDelivery(
  tx: Db,
  siteId: number,
  type: string,
  data: Record<string, unknown>,
  now: Date,
): Promise<string | null> {
  if ((await tx.webhook.count({ where: { siteId } })) === 0) return null;
  const id = randomUUID();
  const body = JSON.stringify({ type, timestamp: now.toISOString(), data });
  await tx.webhookDelivery.create({ data: { id, siteId, type, body, createdAt: now, sendAfter: now } });
  return id;
}

/** @throws Refusal naming `url` for anything but an https address that we would post to. */
export function webhookUrl(typed: string): string {
  const url = URL.canParse(typed) ? new URL(typed) : null;
  if (url?.protocol !== "https:") throw badUrl("must be an address that begins with https://");
  if (url.port !== "") throw badUrl("must have no port: only 443, that of https, is posted to");
  if (url.username !== "" || url.password !== "")
    throw badUrl("must have no name or password in it: messages are signed");
  return url.href;
}

const badUrl = (message: string) => invalidInput([{ path: "url", message }]);
const noWebhook = () => new Refusal("not_found", "This site has no webhook.");
const sealed = (plain: Buffer, place: string) => new Uint8Array(seal(plain, place));
const inText = (secret: Buffer) => `whsec_${secret.toString("base64")}`;

interface Secrets {
  siteId: number;
  secret: Uint8Array;
  previousSecret: Uint8Array | null;
  previousUntil: Date | null;
}

/** The headers of one try at a message, signed by every secret that counts. */
export function signedHeaders(id: string, body: string, kept: Secrets, now: Date): Record<string, string> {
  const { siteId, secret, previousSecret, previousUntil } = kept;
  const secrets = [unseal(secret, secretPlace(siteId))];
  if (previousSecret && previousUntil && previousUntil > now) {
    secrets.push(unseal(previousSecret, previousPlace(siteId)));
  }
  const [name, at] = [`msg_${id}`, Math.floor(now.getTime() / 1000)];
  const signatures = secrets.map(
    (key) => `v1,${createHmac("sha256", key).update(`${name}.${at}.${body}`).digest("base64")}`,
  );
  return { "webhook-id": name, "webhook-timestamp": `${at}`, "webhook-signature": signatures.join(" ") };
}
