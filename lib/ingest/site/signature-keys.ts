import { createHash, createPublicKey, type KeyObject } from "node:crypto";
import { z } from "zod";
import { DAY_MS } from "@/lib/platform/durations";
import { describeError, log } from "@/lib/platform/log";
import { controlPool } from "@/lib/platform/pool";
import { processWide } from "@/lib/platform/process-wide";

/** The keys of agents that sign their requests, which a job reads from their operators' hosts. */

/** A public key for Ed25519 (RFC 8037), and the seconds between which it is valid. */
export const StoredKey = z.object({
  x: z.string().regex(/^[\w-]{43}$/),
  nbf: z.number().optional(),
  exp: z.number().optional(),
});
export type StoredKey = z.output<typeof StoredKey>;

const RELOAD_MS = 60_000;
/** Keys of a host that has not answered for so long are no longer used. */
const MAX_AGE_MS = 7 * DAY_MS;

type Keys = ReadonlyMap<string, KeyObject>;
const state = processWide("signature-keys", () => ({ reloadAt: 0, hosts: new Map() as ReadonlyMap<string, Keys> }));

/**
 * Returns the keys of a host by their thumbprint, or null as long as they are unknown. Never waits: it reads the
 * database in the background, at most once a minute, and later calls know more.
 */
export function signatureKeysOf(host: string, now: Date): Keys | null {
  if (now.getTime() >= state.reloadAt) {
    state.reloadAt = now.getTime() + RELOAD_MS;
    loadSignatureKeys(now).catch((error) => log.warn(describeError(error), "keys of agents were not read"));
  }
  return state.hosts.get(host) ?? null;
}

/** Reads the keys of all hosts from the database. */
export async function loadSignatureKeys(now: Date): Promise<void> {
  const { rows } = await controlPool().query({
    text: "SELECT host, keys FROM signature_directory WHERE read_at > $1",
    values: [new Date(now.getTime() - MAX_AGE_MS)],
  });
  state.hosts = new Map(rows.map(({ host, keys }) => [host, compile(z.array(StoredKey).parse(keys), now)]));
}

function compile(keys: readonly StoredKey[], now: Date): Keys {
  const seconds = now.getTime() / 1000;
  const valid = keys.filter(({ nbf = 0, exp = Infinity }) => nbf <= seconds && seconds < exp);
  return new Map(
    valid.map(({ x }) => {
      const jwk = { crv: "Ed25519", kty: "OKP", x };
      return [thumbprintOf(jwk), createPublicKey({ key: jwk, format: "jwk" })];
    }),
  );
}

/** Returns the SHA-256 thumbprint of a key (RFC 7638), whose members are in alphabetical order. */
const thumbprintOf = (jwk: { crv: string; kty: string; x: string }): string =>
  createHash("sha256").update(JSON.stringify(jwk)).digest("base64url");
