import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Env } from "@/lib/platform/env";
import { processWide } from "@/lib/platform/process-wide";

interface MasterKey {
  id: string;
  bytes: Buffer;
}

const ring = processWide("secrets", () => ({ keys: [] as MasterKey[], derived: new Map<string, Buffer[]>() }));

/**
 * Loads the key ring: `APP_SECRETS`, or the file that the first boot writes into `DATA_DIR` (mode 0600).
 * The first key encrypts and derives; all of them decrypt.
 */
export function bootSecrets(env: Env): void {
  const text = secretsOf(env);
  ring.derived.clear();
  ring.keys = text
    .trim()
    .split(",")
    .map((entry) => {
      const colon = entry.indexOf(":");
      return { id: entry.slice(0, colon), bytes: Buffer.from(entry.slice(colon + 1), "base64") };
    });
}

/** The key ring as it is configured or kept; made when there is none yet. */
export function secretsOf({ APP_SECRETS, DATA_DIR }: Env): string {
  if (APP_SECRETS !== undefined) return APP_SECRETS;
  if (!existsSync(secretsFile(DATA_DIR))) keepSecrets(DATA_DIR, `k1:${randomBytes(32).toString("base64")}\n`);
  return readFileSync(secretsFile(DATA_DIR), "utf8");
}

const secretsFile = (dataDir: string): string => path.join(dataDir, "app-secrets");

/** Whether there are secrets already. */
export const hasSecrets = ({ APP_SECRETS, DATA_DIR }: Env): boolean =>
  APP_SECRETS !== undefined || existsSync(secretsFile(DATA_DIR));

/** Keeps a key ring in `DATA_DIR`, unless another is there. */
export function keepSecrets(dataDir: string, text: string): void {
  mkdirSync(dataDir, { recursive: true });
  try {
    writeFileSync(secretsFile(dataDir), text, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function masterKey(id?: string): MasterKey {
  const { keys } = ring;
  const key = id === undefined ? keys[0] : keys.find((candidate) => candidate.id === id);
  if (!key) throw new Error(id === undefined ? "bootSecrets() has not run" : `APP_SECRETS no longer holds ${id}`);
  return key;
}

/** 32 bytes for one named purpose, derived from the newest key (HKDF-SHA256, RFC 5869). */
export function derivedKey(purpose: string): Buffer {
  return expand(masterKey(), purpose);
}

/** The same from every key of the ring, newest first: what an older key has made is still recognised. */
export function derivedKeys(purpose: string): readonly Buffer[] {
  const known = ring.derived.get(purpose) ?? ring.keys.map((key) => expand(key, purpose));
  ring.derived.set(purpose, known);
  return known;
}

function expand(key: MasterKey, purpose: string, alsoNeeds = ""): Buffer {
  const material = Buffer.concat([key.bytes, Buffer.from(alsoNeeds)]);
  return Buffer.from(hkdfSync("sha256", material, "footfall", purpose, 32));
}

/** How sealed bytes are laid out: form, length of the key's id, id, nonce (12), tag (16), ciphertext. */
const FORM = 1;

/**
 * Encrypts `plain` (AES-256-GCM). `place` ties the result to one row, such as `site.user_key:12`, so that
 * a sealed value copied to another row does not open there. With `alsoNeeds`, a secret that is kept nowhere, the
 * database and this process's keys together cannot open it either.
 */
export function seal(plain: Buffer, place: string, alsoNeeds?: string): Buffer {
  const key = masterKey();
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", expand(key, "seal", alsoNeeds), nonce, { authTagLength: 16 });
  cipher.setAAD(Buffer.from(`${key.id}|${place}`));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  const id = Buffer.from(key.id);
  return Buffer.concat([Buffer.from([FORM, id.length]), id, nonce, cipher.getAuthTag(), body]);
}

/** Opens what `seal` made for the same place. Throws when the key is gone or a bit has changed. */
export function unseal(sealed: Uint8Array, place: string, alsoNeeds?: string): Buffer {
  const bytes = Buffer.from(sealed);
  if (bytes[0] !== FORM) throw new Error("What is to be unsealed has an unknown form");
  const idLength = bytes[1] ?? 0;
  const id = bytes.subarray(2, 2 + idLength).toString();
  const rest = bytes.subarray(2 + idLength);
  const decipher = createDecipheriv("aes-256-gcm", expand(masterKey(id), "seal", alsoNeeds), rest.subarray(0, 12), {
    authTagLength: 16,
  });
  decipher.setAAD(Buffer.from(`${id}|${place}`));
  decipher.setAuthTag(rest.subarray(12, 28));
  return Buffer.concat([decipher.update(rest.subarray(28)), decipher.final()]);
}

/** SHA-256, the form in which random 256-bit secrets are stored. */
export const digest = (secret: string): Buffer => createHash("sha256").update(secret).digest();

/** A random secret of 256 bits, URL-safe, 43 characters. */
export const freshSecret = (): string => randomBytes(32).toString("base64url");
