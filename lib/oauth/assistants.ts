import { type Assistant, isMetadataUrl, readMetadata, Unread } from "@/lib/oauth/client-metadata";
import { db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { Refusal } from "@/lib/platform/errors";
import { METADATA_READS } from "@/lib/platform/limits";
import type { Internet } from "@/lib/platform/outbound/outbound";
import { requireRate } from "@/lib/platform/rate";

const STORED_MS = 7 * DAY_MS;

/**
 * Returns the assistant of a `client_id`, from its registration or its metadata document.
 *
 * @param personId who is asked for access. How many documents are read for one person is limited.
 * @param internet replaces the Internet in tests.
 * @throws Refusal `not_found` for an unknown registration, `invalid_input` for an unusable document, `rate_limited`.
 */
export async function findAssistant(
  clientId: string,
  personId: number,
  now: Date,
  internet?: Internet,
): Promise<Assistant> {
  if (!isMetadataUrl(clientId)) return findRegistration(clientId);
  const { limit, seconds } = METADATA_READS;
  const message = "You opened too many requests of agents. Try again later.";
  const admit = () => requireRate(`client-metadata:${personId}`, limit, seconds * 1000, now, message);
  try {
    return await readMetadata(clientId, now, admit, internet);
  } catch (error) {
    const stored = error instanceof Unread && (await findStored(clientId, now));
    if (stored) return stored;
    throw error;
  }
}

/** Some hosts refuse servers now and then: what somebody's connection has shown of a document is good for a week. */
const findStored = (id: string, now: Date): Promise<Assistant | null> =>
  db().assistant.findFirst({ where: { id, readAt: { gt: new Date(now.getTime() - STORED_MS) } } });

async function findRegistration(clientId: string): Promise<Assistant> {
  const known = /^ffp_[\w-]{1,64}$/.test(clientId) && (await db().assistant.findUnique({ where: { id: clientId } }));
  if (known) return known;
  throw new Refusal("not_found", "This agent is unknown here. Remove its connection in the agent, and add it again.");
}

/** Returns the host that serves an assistant's metadata; null for one that registered itself. */
export const hostOfAssistant = (clientId: string): string | null =>
  isMetadataUrl(clientId) ? new URL(clientId).host : null;
