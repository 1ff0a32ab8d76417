import { requireSignature, signerOf } from "@/lib/oauth/client-assertion";
import { failuresOf, invalidClient, tooManyFailures } from "@/lib/oauth/clients";
import type { Form } from "@/lib/oauth/form";
import type { Client } from "@/lib/oauth/tokens";
import { db } from "@/lib/platform/db";
import type { Incoming } from "@/lib/platform/http/http";
import { takeRate } from "@/lib/platform/rate";
import { hashOf } from "@/lib/platform/secrets";

/** Whether a request comes from an assistant: it names itself in the body, and has no secret. */
export const isPublic = (request: Pick<Incoming, "header">, form: Form): boolean =>
  request.header("authorization") === null && form.get("client_secret") === null && assistantIdOf(form) !== null;

/** An assistant that signs its requests need not name itself beside its signature (RFC 7521 section 4.2). */
const assistantIdOf = (form: Form): string | null => form.get("client_id") ?? signerOf(form.get("client_assertion"));

/**
 * Returns the client of an assistant. The code or token that it presents says for which person it acts: 256 random bits that
 * only it has. A code is worth nothing without its verifier. Assistants of many people share addresses, so failures of others
 * never refuse a right code or token.
 *
 * @returns null when no active client of this assistant has the code or token.
 * @throws OAuthRefusal `invalid_client` for an unknown assistant or a wrong signature, `temporarily_unavailable` (429) for 15
 *   minutes after 100 failures from one address.
 */
export async function clientOfAssistant(form: Form, address: string, now: Date): Promise<Client | null> {
  const assistantId = assistantIdOf(form) ?? "";
  const client = await clientWith(form);
  if (client?.assistantId === assistantId && client.revokedAt === null) {
    await requireSignature(client.assistant, form, now);
    return client;
  }
  const { key, limit, seconds } = failuresOf(address);
  const { allowed, retryAfter } = await takeRate(key, limit, seconds * 1000, now);
  if (!allowed) throw tooManyFailures(retryAfter);
  const isKnown =
    /^[\x21-\x7e]{1,500}$/.test(assistantId) && (await db().assistant.count({ where: { id: assistantId } }));
  if (isKnown) return null;
  throw invalidClient();
}

async function clientWith(form: Form) {
  const [code, token] = [form.get("code"), form.get("refresh_token") ?? form.get("token")];
  const include = { client: { include: { assistant: true } } };
  if (code !== null) {
    return (await db().authorizationCode.findUnique({ where: { hash: hashOf(code) }, include }))?.client ?? null;
  }
  if (token === null) return null;
  const where = { hash: hashOf(token) };
  const row =
    (await db().refreshToken.findUnique({ where, include })) ?? (await db().accessToken.findUnique({ where, include }));
  return row?.client ?? null;
}
