import { z } from "zod";
import { StoredKey, signatureAgents } from "@/lib/ingest/enrich/web-bot-auth";
import { db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { type Internet, readPage, Unreachable } from "@/lib/platform/outbound/outbound";

const PATH = "/.well-known/http-message-signatures-directory";
const LIMITS = { limitBytes: 64 * 1024, deadlineMs: 5_000 };
const RETRY_MS = 3_600_000;
const MAX_KEYS = 50;

const Directory = z.object({ keys: z.array(z.unknown()) });
/** A directory may have keys of other kinds, which are skipped. */
const Ed25519 = StoredKey.extend({ kty: z.literal("OKP"), crv: z.literal("Ed25519") });

/**
 * Reads the keys that known operators of agents publish (draft-meunier-http-message-signatures-directory): daily, and an
 * hour after a failure. Keys that were read before stay when a host does not answer. With `AGENT_KEYS=off` it reads none.
 *
 * @returns the hosts whose keys were read.
 */
export async function readSignatureDirectories(
  now: Date,
  { hosts = signatureAgents().map(({ host }) => host), internet = {} as Internet, source = env().AGENT_KEYS } = {},
): Promise<string[]> {
  if (source === "off") return [];
  const known = await db().signatureDirectory.findMany({ where: { host: { in: hosts } } });
  const read: string[] = [];
  for (const host of hosts) {
    const last = known.find((directory) => directory.host === host);
    const isDue =
      now.getTime() - (last?.readAt?.getTime() ?? 0) >= DAY_MS &&
      now.getTime() - (last?.triedAt.getTime() ?? 0) >= RETRY_MS;
    if (!isDue) continue;
    const keys = await readDirectory(host, internet);
    const update = keys === null ? { triedAt: now } : { triedAt: now, readAt: now, keys };
    await db().signatureDirectory.upsert({ where: { host }, create: { host, ...update }, update });
    if (keys !== null) read.push(host);
  }
  return read;
}

/** Returns the keys that a host publishes, or null when it cannot be read or publishes something else. */
async function readDirectory(host: string, internet: Internet): Promise<StoredKey[] | null> {
  try {
    const { status, body, complete } = await readPage(`https://${host}${PATH}`, LIMITS, internet);
    const parsed = status === 200 && complete ? Directory.safeParse(jsonOf(body)) : null;
    if (!parsed?.success) {
      log.info({ host, status, complete }, "the host publishes no directory of keys");
      return null;
    }
    const keys = parsed.data.keys.slice(0, MAX_KEYS).flatMap((key) => Ed25519.safeParse(key).data ?? []);
    return keys.map(({ x, nbf, exp }) => ({
      x,
      ...(nbf === undefined ? {} : { nbf }),
      ...(exp === undefined ? {} : { exp }),
    }));
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    log.info({ host, temporary: error.temporary }, "the directory of keys was not read");
    return null;
  }
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    // A page that is no JSON is no directory.
    return null;
  }
}
