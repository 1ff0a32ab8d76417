import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { isIP } from "node:net";
import { z } from "zod";
import type { Principal, SiteAccess } from "@/lib/contract/define";
import { about } from "@/lib/contract/fields";
import { changeSite, type LockedSite } from "@/lib/gateway/changes/site-revision";
import { type Db, db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { Refusal } from "@/lib/platform/errors";
import { seal, unseal } from "@/lib/platform/secrets";

/**
 * Manages the webhook of a site. Messages are signed according to Standard Webhooks (https://www.standardwebhooks.com):
 * headers `webhook-id`, `webhook-timestamp` (seconds) and `webhook-signature`, an HMAC-SHA256 of `id.timestamp.body`.
 * Every attempt of a message has the same id, so that receivers can deduplicate.
 */

/** How long the previous secret still signs after a rotation. */
const OVERLAP_MS = DAY_MS;
const DELIVERIES_SHOWN = 5;

const secretContext = (siteId: number) => `webhook.secret:${siteId}`;
const previousSecretContext = (siteId: number) => `webhook.previous:${siteId}`;

/** Schema of a webhook URL: https, port 443, a host name, no credentials. */
export const webhookUrl = z
  .string("must be a URL that begins with https://")
  .trim()
  .max(2048, "must have at most 2048 characters")
  .superRefine((typed, check) => {
    const message = invalidReason(typed);
    if (message) check.addIssue({ code: "custom", message });
  })
  .meta({
    description: "A publicly reachable https URL on port 443",
    examples: ["https://alerts.example.com/footfall"],
  });

function invalidReason(typed: string): string | null {
  const url = URL.canParse(typed) ? new URL(typed) : null;
  if (url?.protocol !== "https:") return "must be a URL that begins with https://";
  if (url.port !== "") return "must not contain a port; messages are sent to port 443 only";
  if (isIpAddress(url.hostname)) return "must contain a host name, not an IP address";
  if (url.username !== "" || url.password !== "")
    return "must not contain a user name or password; verify the signature instead";
  return null;
}

/** Returns the host of a webhook URL. The rest is not shown, because it often contains a secret. */
export const hostOf = (url: string): string => new URL(url).hostname;

const isIpAddress = (hostname: string) => isIP(hostname.replace(/^\[|\]$/g, "")) > 0;

/** Returns the URL as approvals show it: without its last path segment, which is often a secret. */
export const maskedAddress = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/[^/]*$/, "…")}`;
};

/** The webhook of a site in API responses. */
export const webhookShape = z
  .object({
    host: about(z.string(), "Host that receives the messages", "alerts.example.com"),
    url: z.string().nullable().meta({ description: "The whole URL, for a signed-in person; null for agents" }),
    previous_secret_valid_until: z.iso
      .datetime()
      .nullable()
      .meta({ description: "Until when the previous secret also signs; null if it does not" }),
    deliveries: z
      .array(
        z.object({
          delivery_id: z.uuid(),
          type: z.string().meta({ examples: ["incident.started"] }),
          created_at: z.iso.datetime(),
          delivered_at: z.iso
            .datetime()
            .nullable()
            .meta({ examples: ["2026-11-20T09:30:01Z"] }),
          next_attempt_at: z.iso.datetime().nullable().meta({ description: "Null if there are no further attempts" }),
          outcome: about(z.string().nullable(), "Outcome of the last attempt; null before the first", "answered 200"),
        }),
      )
      .meta({ description: "The latest five messages, newest first" }),
  })
  .meta({ id: "Webhook" });

/** The webhook of a site. */
export interface WebhookRow {
  url: string;
  /** Until when the previous secret also signs; null if it does not. */
  previousUntil: Date | null;
  /** The latest messages, newest first. */
  deliveries: Delivery[];
}

interface Delivery {
  id: string;
  type: string;
  createdAt: Date;
  deliveredAt: Date | null;
  /** When the next attempt is due; null if there is none. */
  sendAfter: Date | null;
  /** Outcome of the last attempt as text; null before the first. */
  outcome: string | null;
}

/** Returns the webhook of a site; null if it has none. */
export async function readWebhook(siteId: number, now: Date, on: Db = db()): Promise<WebhookRow | null> {
  const deliveries = {
    orderBy: [{ createdAt: "desc" }, { id: "asc" }] as const,
    take: DELIVERIES_SHOWN,
    select: { id: true, type: true, createdAt: true, deliveredAt: true, sendAfter: true, outcome: true },
  };
  const row = await on.webhook.findUnique({
    where: { siteId },
    select: { url: true, previousUntil: true, deliveries: { ...deliveries, orderBy: [...deliveries.orderBy] } },
  });
  return row && { ...row, previousUntil: row.previousUntil && row.previousUntil > now ? row.previousUntil : null };
}

/** Formats the webhook for API responses. Agents do not get the whole URL, because it is often a secret. */
export const describeWebhook = (
  { url, previousUntil, deliveries }: WebhookRow,
  { kind }: Principal,
): z.input<typeof webhookShape> => ({
  host: hostOf(url),
  url: kind === "owner" ? url : null,
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

/**
 * Sets the URL of the webhook. Creates a secret the first time, which is returned only then; later calls keep it.
 *
 * @param url valid according to `webhookUrl`
 */
export async function setWebhook({ db, site, now }: LockedSite, url: string): Promise<{ secret: string | null }> {
  const [siteId, { href }] = [site.id, new URL(url)];
  await changeSite(db, siteId);
  const { count } = await db.webhook.updateMany({ where: { siteId }, data: { url: href } });
  if (count > 0) return { secret: null };
  const secret = randomBytes(32);
  const row = { siteId, url: href, secret: sealed(secret, secretContext(siteId)), createdAt: now };
  await db.webhook.create({ data: row });
  return { secret: encodeSecret(secret) };
}

/** Creates a new secret; the current one also signs for another day. @throws Refusal `not_found` without a webhook */
export async function rotateSecret({ db, site, now }: LockedSite): Promise<{ secret: string; previousUntil: Date }> {
  const siteId = site.id;
  const webhook = await requireWebhook(db, siteId);
  const [old, secret] = [unseal(webhook.secret, secretContext(siteId)), randomBytes(32)];
  const previousUntil = new Date(now.getTime() + OVERLAP_MS);
  const data = {
    secret: sealed(secret, secretContext(siteId)),
    previousSecret: sealed(old, previousSecretContext(siteId)),
    previousUntil,
  };
  await db.webhook.update({ where: { siteId }, data });
  await changeSite(db, siteId);
  return { secret: encodeSecret(secret), previousUntil };
}

/** Deletes the webhook and its undelivered messages. @throws Refusal `not_found` without a webhook */
export async function deleteWebhook({ db, site }: LockedSite): Promise<void> {
  await requireWebhook(db, site.id);
  await db.webhook.delete({ where: { siteId: site.id } });
  await changeSite(db, site.id);
}

/** Returns the webhook of a site. @throws Refusal `not_found` if it has none */
export async function requireWebhook(on: Db, siteId: number): Promise<{ url: string; secret: Uint8Array }> {
  const webhook = await on.webhook.findUnique({ where: { siteId }, select: { url: true, secret: true } });
  if (!webhook) throw noWebhook();
  return webhook;
}

/** Queues a test message. @returns its id @throws Refusal `not_found` without a webhook */
export async function queueTest(on: Db, site: Pick<SiteAccess, "id" | "domain">, now: Date): Promise<string> {
  const id = await queueDelivery(on, site.id, "test", { site_id: site.id, domain: site.domain }, now);
  if (!id) throw noWebhook();
  return id;
}

/** Queues a message if the site has a webhook. @returns its id; null without a webhook */
export async function queueDelivery(
  on: Db,
  siteId: number,
  type: string,
  data: Record<string, unknown>,
  now: Date,
): Promise<string | null> {
  const id = randomUUID();
  const body = JSON.stringify({ type, timestamp: now.toISOString(), data });
  // One statement that locks the webhook, because it may be deleted concurrently.
  const queued = await on.$executeRaw`
    INSERT INTO webhook_delivery (id, site_id, type, body, created_at, send_after)
    SELECT ${id}::uuid, site_id, ${type}, ${body}, ${now}::timestamptz, ${now}::timestamptz
    FROM webhook WHERE site_id = ${siteId} FOR KEY SHARE`;
  return queued === 0 ? null : id;
}

const noWebhook = () => new Refusal("not_found", "This site has no webhook.");
const sealed = (plain: Buffer, context: string) => new Uint8Array(seal(plain, context));
const encodeSecret = (secret: Buffer) => `whsec_${secret.toString("base64")}`;

interface Secrets {
  siteId: number;
  secret: Uint8Array;
  previousSecret: Uint8Array | null;
  previousUntil: Date | null;
}

/** Returns the headers of one attempt, signed with every valid secret. */
export function signedHeaders(id: string, body: string, stored: Secrets, now: Date): Record<string, string> {
  const { siteId, secret, previousSecret, previousUntil } = stored;
  const secrets = [unseal(secret, secretContext(siteId))];
  if (previousSecret && previousUntil && previousUntil > now) {
    secrets.push(unseal(previousSecret, previousSecretContext(siteId)));
  }
  const [name, at] = [`msg_${id}`, Math.floor(now.getTime() / 1000)];
  const signatures = secrets.map(
    (key) => `v1,${createHmac("sha256", key).update(`${name}.${at}.${body}`).digest("base64")}`,
  );
  return { "webhook-id": name, "webhook-timestamp": `${at}`, "webhook-signature": signatures.join(" ") };
}
