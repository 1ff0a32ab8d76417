import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { isIP } from "node:net";
import { z } from "zod";
import type { SiteAccess } from "@/lib/contract/define";
import { changeSite, type SiteWork } from "@/lib/gateway/changes/site-revision";
import { type Db, db } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import { seal, unseal } from "@/lib/platform/secrets";

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

/** An https address that we would post to. */
export const webhookUrl = z
  .string("must be an address that begins with https://")
  .trim()
  .max(2048, "must have at most 2048 characters")
  .superRefine((typed, check) => {
    const message = faultOf(typed);
    if (message) check.addIssue({ code: "custom", message });
  })
  .meta({
    description: "An https address on port 443 that anyone can reach",
    examples: ["https://alerts.example.com/footfall"],
  });

function faultOf(typed: string): string | null {
  const url = URL.canParse(typed) ? new URL(typed) : null;
  if (url?.protocol !== "https:") return "must be an address that begins with https://";
  if (url.port !== "") return "must have no port: only 443, that of https, is posted to";
  if (isIpAddress(url.hostname)) return "must have the name of a host, not its IP address";
  if (url.username !== "" || url.password !== "") return "must have no name or password in it: messages are signed";
  return null;
}

/** What of an address is no secret: the rest of it often is one. */
export const hostOf = (url: string): string => new URL(url).hostname;

const isIpAddress = (hostname: string) => isIP(hostname.replace(/^\[|\]$/g, "")) > 0;

/** The address as approvals show it: its last part is left out, since that is often a secret. */
export const maskedAddress = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/[^/]*$/, "…")}`;
};

/** A site's webhook as operations answer it. */
export const webhookShape = z
  .object({
    host: z.string().meta({ description: "Where messages are posted to; the rest of the address is not shown" }),
    previous_secret_valid_until: z.iso
      .datetime()
      .nullable()
      .meta({ description: "Until when the secret before the newest signs too; null when it does not" }),
    deliveries: z
      .array(
        z.object({
          delivery_id: z.uuid(),
          type: z.string(),
          created_at: z.iso.datetime(),
          delivered_at: z.iso.datetime().nullable(),
          next_attempt_at: z.iso.datetime().nullable().meta({ description: "Null when it is not tried any more" }),
          outcome: z.string().nullable().meta({ description: "What the last try came to; null before the first" }),
        }),
      )
      .meta({ description: "The latest five messages, newest first" }),
  })
  .meta({ id: "Webhook" });

/** A site's webhook as its managers see it on its page. */
export interface WebhookRow {
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
export async function readWebhook(siteId: number, now: Date, on: Db = db()): Promise<WebhookRow | null> {
  const deliveries = {
    orderBy: [{ createdAt: "desc" }, { id: "asc" }] as const,
    take: MOST_SHOWN,
    select: { id: true, type: true, createdAt: true, deliveredAt: true, sendAfter: true, outcome: true },
  };
  const row = await on.webhook.findUnique({
    where: { siteId },
    select: { url: true, previousUntil: true, deliveries: { ...deliveries, orderBy: [...deliveries.orderBy] } },
  });
  return row && { ...row, previousUntil: row.previousUntil && row.previousUntil > now ? row.previousUntil : null };
}

export const describeWebhook = ({ url, previousUntil, deliveries }: WebhookRow): z.input<typeof webhookShape> => ({
  host: hostOf(url),
  previous_secret_valid_until: previousUntil?.toISOString() ?? null,
  deliveries: deliveries.map(({ id, type, outcome, ...row }) => ({
    delivery_id: id,
    type,
    created_at: row.createdAt.toISOString(),
    delivered_at: row.deliveredAt?.toISOString() ?? null,
    next_attempt_at: row.sendAfter?.toISOString() ?? null,
    outcome,
  })),
});

/** What a change of a webhook is given: it holds the site, and its caller may change it. */
type Changing = Omit<SiteWork, "principal">;

/**
 * Sets where incidents are posted to. The first time a secret is made, which is shown once; a further address keeps it.
 *
 * @param url as `webhookUrl` accepts it.
 */
export async function setWebhook({ db, site, now }: Changing, url: string): Promise<{ secret: string | null }> {
  const [siteId, { href }] = [site.id, new URL(url)];
  await changeSite(db, siteId);
  const { count } = await db.webhook.updateMany({ where: { siteId }, data: { url: href } });
  if (count > 0) return { secret: null };
  const secret = randomBytes(32);
  const row = { siteId, url: href, secret: sealed(secret, secretPlace(siteId)), createdAt: now };
  await db.webhook.create({ data: row });
  return { secret: inText(secret) };
}

/** Makes a new secret; the present one signs beside it for a day. @throws Refusal `not_found` without a webhook. */
export async function rotateSecret({ db, site, now }: Changing): Promise<{ secret: string; previousUntil: Date }> {
  const siteId = site.id;
  const known = await requireWebhook(db, siteId);
  const [old, secret] = [unseal(known.secret, secretPlace(siteId)), randomBytes(32)];
  const previousUntil = new Date(now.getTime() + OVERLAP_MS);
  const data = {
    secret: sealed(secret, secretPlace(siteId)),
    previousSecret: sealed(old, previousPlace(siteId)),
    previousUntil,
  };
  await db.webhook.update({ where: { siteId }, data });
  await changeSite(db, siteId);
  return { secret: inText(secret), previousUntil };
}

/** Ends the webhook; what was not delivered is not sent any more. @throws Refusal `not_found` without one. */
export async function deleteWebhook({ db, site }: Changing): Promise<void> {
  await requireWebhook(db, site.id);
  await db.webhook.delete({ where: { siteId: site.id } });
  await changeSite(db, site.id);
}

/** @throws Refusal `not_found` for a site without a webhook. */
export async function requireWebhook(on: Db, siteId: number): Promise<{ url: string; secret: Uint8Array }> {
  const known = await on.webhook.findUnique({ where: { siteId }, select: { url: true, secret: true } });
  if (!known) throw noWebhook();
  return known;
}

/** Queues a message that means nothing. @returns its id. @throws Refusal `not_found` without a webhook. */
export async function queueTest(on: Db, site: Pick<SiteAccess, "id" | "domain">, now: Date): Promise<string> {
  const id = await queueDelivery(on, site.id, "test", { site_id: site.id, domain: site.domain }, now);
  if (!id) throw noWebhook();
  return id;
}

/** Queues a message when the site has a webhook. @returns its id; null without a webhook. */
export async function queueDelivery(
  on: Db,
  siteId: number,
  type: string,
  data: Record<string, unknown>,
  now: Date,
): Promise<string | null> {
  const id = randomUUID();
  const body = JSON.stringify({ type, timestamp: now.toISOString(), data });
  // One statement, which holds the webhook: it may be deleted meanwhile.
  const queued = await on.$executeRaw`
    INSERT INTO webhook_delivery (id, site_id, type, body, created_at, send_after)
    SELECT ${id}::uuid, site_id, ${type}, ${body}, ${now}::timestamptz, ${now}::timestamptz
    FROM webhook WHERE site_id = ${siteId} FOR KEY SHARE`;
  return queued === 0 ? null : id;
}

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
