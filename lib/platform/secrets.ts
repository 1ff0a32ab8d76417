import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Env } from "@/lib/platform/env";
import { Fault } from "@/lib/platform/errors";
import { processWide } from "@/lib/platform/process-wide";

interface MasterKey {
  id: string;
  bytes: Buffer;
}

const ring = processWide("secrets", () => ({ keys: [] as MasterKey[], derived: new Map<string, Buffer[]>() }));

/**
 * Loads the key ring from `APP_SECRETS`, or from the file that the first boot creates in `DATA_DIR` (mode 0600).
 * The first key encrypts and derives keys; every key decrypts.
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

/** Returns the configured or stored key ring; creates one when there is none. */
export function secretsOf({ APP_SECRETS, DATA_DIR }: Env): string {
  if (APP_SECRETS !== undefined) return APP_SECRETS;
  if (!existsSync(secretsFile(DATA_DIR))) saveSecrets(DATA_DIR, `k1:${randomBytes(32).toString("base64")}\n`);
  return readFileSync(secretsFile(DATA_DIR), "utf8");
}

const secretsFile = (dataDir: string): string => path.join(dataDir, "app-secrets");

/** Returns whether a key ring exists. */
export const hasSecrets = ({ APP_SECRETS, DATA_DIR }: Env): boolean =>
  APP_SECRETS !== undefined || existsSync(secretsFile(DATA_DIR));

/** Writes a key ring into `DATA_DIR`, unless one exists. */
export function saveSecrets(dataDir: string, text: string): void {
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
  if (!key) throw new Fault(id === undefined ? "bootSecrets() has not run" : `APP_SECRETS no longer holds ${id}`);
  return key;
}

/** Returns 32 bytes for a purpose, derived from the newest key (HKDF-SHA256, RFC 5869). */
export function derivedKey(purpose: string): Buffer {
  return expand(masterKey(), purpose);
}

/**
 * Returns the derived keys of every key of the ring, newest first, to verify values that were made with an older key.
 */
export function derivedKeys(purpose: string): readonly Buffer[] {
  const known = ring.derived.get(purpose) ?? ring.keys.map((key) => expand(key, purpose));
  ring.derived.set(purpose, known);
  return known;
}

function expand(key: MasterKey, purpose: string, extraSecret = ""): Buffer {
  const material = Buffer.concat([key.bytes, Buffer.from(extraSecret)]);
  return Buffer.from(hkdfSync("sha256", material, "footfall", purpose, 32));
}

/** Layout of sealed bytes: format version, length of the key id, key id, nonce (12), tag (16), ciphertext. */
const FORMAT_VERSION = 1;

/**
 * Encrypts `plain` (AES-256-GCM). `context` binds the result to one row, such as `site.user_key:12`: a sealed value
 * that is copied to another row does not open. With `extraSecret`, which is stored nowhere, the database and the key
 * ring alone cannot open it either.
 */
export function seal(plain: Buffer, context: string, extraSecret?: string): Buffer {
  const key = masterKey();
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", expand(key, "seal", extraSecret), nonce, { authTagLength: 16 });
  cipher.setAAD(Buffer.from(`${key.id}|${context}`));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  const id = Buffer.from(key.id);
  return Buffer.concat([Buffer.from([FORMAT_VERSION, id.length]), id, nonce, cipher.getAuthTag(), body]);
}

/** Decrypts the result of `seal` with the same context. @throws when the key is missing or a bit has changed. */
export function unseal(sealed: Uint8Array, context: string, extraSecret?: string): Buffer {
  const bytes = Buffer.from(sealed);
  if (bytes[0] !== FORMAT_VERSION) throw new Fault("The sealed value has an unknown format version");
  const idLength = bytes[1] ?? 0;
  const id = bytes.subarray(2, 2 + idLength).toString();
  const rest = bytes.subarray(2 + idLength);
  const decipher = createDecipheriv("aes-256-gcm", expand(masterKey(id), "seal", extraSecret), rest.subarray(0, 12), {
    authTagLength: 16,
  });
  decipher.setAAD(Buffer.from(`${id}|${context}`));
  decipher.setAuthTag(rest.subarray(12, 28));
  return Buffer.concat([decipher.update(rest.subarray(28)), decipher.final()]);
}

/** Returns the SHA-256 of a random 256-bit secret, which is stored instead of the secret. */
export const digest = (secret: string): Buffer => createHash("sha256").update(secret).digest();

/** Returns the digest as a database value. */
export const hashOf = (secret: string): Uint8Array<ArrayBuffer> => new Uint8Array(digest(secret));

/** Returns the digest in hexadecimal. */
export const hexDigest = (text: string): string => digest(text).toString("hex");

/** Returns a random secret of 256 bits as 43 URL-safe characters. */
export const freshSecret = (): string => randomBytes(32).toString("base64url");
