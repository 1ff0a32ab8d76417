import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import {
  type Dictionary,
  type InnerList,
  type Item,
  isInnerList,
  parseDictionary,
  parseItem,
  serializeInnerList,
  serializeItem,
} from "structured-headers";
import { z } from "zod";
import bundled from "@/lib/ingest/enrich/data/signature-agents.json";
import { ownLists, type SignatureAgent } from "@/lib/ingest/enrich/own-lists";
import { DAY_MS } from "@/lib/platform/durations";
import type { Incoming } from "@/lib/platform/http/http";
import { describeError, log } from "@/lib/platform/log";
import { controlPool } from "@/lib/platform/pool";
import { processWide } from "@/lib/platform/process-wide";

/**
 * Web Bot Auth (draft-ietf-webbotauth-architecture): agents sign their requests (HTTP Message Signatures, RFC 9421), and
 * name the host that publishes their keys.
 */

/** The headers of a signed request. */
export interface RequestSignature {
  signature: string;
  input: string;
  /** `Signature-Agent`: the host of the keys. */
  agent: string;
  /** The path that was called, as the service knows it. */
  path: string;
  /** `Content-Digest`, and whether it is that of the body (RFC 9530); null without one. */
  digest: { header: string; isRight: boolean } | null;
}

/** An agent that signed a request. `claimed` as long as its keys are unknown or do not cover what we can see. */
export interface SignedAgent {
  agent: SignatureAgent;
  state: "verified" | "claimed" | "spoofed";
}

const MAX_HEADER = 2_000;
const TAG = "web-bot-auth";

/** Returns the signature headers of a request, or null without the signature of an agent. */
export function readSignature(
  { header }: Pick<Incoming, "header">,
  { path, body }: { path: string; body: Uint8Array },
): RequestSignature | null {
  const input = header("signature-input");
  if (input === null || !input.includes(TAG)) return null;
  const [signature, agent] = [header("signature"), header("signature-agent")];
  if (signature === null || agent === null) return null;
  const digest = header("content-digest");
  if ([input, signature, agent, digest ?? ""].some((text) => text.length > MAX_HEADER)) return null;
  return {
    ...{ signature, input, agent, path },
    digest: digest === null ? null : { header: digest, isRight: isDigestOf(digest, body) },
  };
}

/** The algorithms of RFC 9530 that are not insecure, and their names in Node. */
const DIGESTS = { "sha-256": "sha256", "sha-512": "sha512" } as const;

function isDigestOf(header: string, body: Uint8Array): boolean {
  try {
    const digests = parseDictionary(header);
    const known = Object.entries(DIGESTS).flatMap(([name, algorithm]) => {
      const value = (digests.get(name) as Item | undefined)?.[0];
      return value instanceof ArrayBuffer ? [{ algorithm, value: Buffer.from(value) }] : [];
    });
    return (
      known.length > 0 &&
      known.every(({ algorithm, value }) => createHash(algorithm).update(body).digest().equals(value))
    );
  } catch {
    return false;
  }
}

/** What a signature is checked against. */
interface SignedRequest {
  method: string;
  /** Hosts at which the request may have been made. A proxy in front of the service may have changed the name. */
  authorities: readonly string[];
  now: Date;
  /** Returns the keys that a host publishes, by their thumbprint (RFC 7638); null as long as they are unknown. */
  keysOf(host: string): ReadonlyMap<string, KeyObject> | null;
}

/** Signatures are valid for at most a day, as the draft recommends. */
const MAX_LIFETIME_S = 86_400;
/** Clocks differ. */
const SKEW_S = 60;

/**
 * Returns the agent whose signature a request carries, and whether it is right; null when the request has none, or names
 * a host that no list has.
 */
export function checkSignature(signed: RequestSignature, request: SignedRequest): SignedAgent | null {
  const parsed = parseSignature(signed);
  if (parsed === null) return null;
  const agent = signatureAgentAt(parsed.host);
  if (agent === null) return null;
  const keys = request.keysOf(agent.host);
  if (keys === null) return { agent, state: "claimed" };
  return { agent, state: stateOf(parsed, keys, request) };
}

interface ParsedSignature {
  host: string;
  input: InnerList;
  signature: Uint8Array;
  agents: { header: string; members: Dictionary | null };
  path: string;
  digest: RequestSignature["digest"];
}

/** Parses the first signature with the tag of agents; null when the headers have another form. */
function parseSignature({ signature, input, agent, path, digest }: RequestSignature): ParsedSignature | null {
  try {
    const signatures = parseDictionary(signature);
    for (const [label, member] of parseDictionary(input)) {
      if (!isInnerList(member) || member[1].get("tag") !== TAG) continue;
      const bytes = (signatures.get(label) as Item | undefined)?.[0];
      const members = agent.trim().startsWith('"') ? null : parseDictionary(agent);
      const named = (members === null ? parseItem(agent) : (members.get(label) as Item | undefined))?.[0];
      if (!(bytes instanceof ArrayBuffer) || typeof named !== "string") return null;
      const url = URL.canParse(named) ? new URL(named) : null;
      if (url?.protocol !== "https:" || url.port !== "") return null;
      return {
        host: url.hostname,
        input: member,
        signature: new Uint8Array(bytes),
        agents: { header: agent, members },
        ...{ path, digest },
      };
    }
  } catch {
    // The library throws a ParseError for text that is no structured field (RFC 9651).
    return null;
  }
  return null;
}

function stateOf(
  parsed: ParsedSignature,
  keys: ReadonlyMap<string, KeyObject>,
  request: SignedRequest,
): SignedAgent["state"] {
  const [components, parameters] = parsed.input;
  const [created, expires] = [parameters.get("created"), parameters.get("expires")];
  const now = request.now.getTime() / 1000;
  if (typeof created !== "number" || typeof expires !== "number") return "spoofed";
  if (created > now + SKEW_S || expires < now || expires - created > MAX_LIFETIME_S) return "spoofed";
  const names = components.map(([name]) => name);
  // Without the host it could have been recorded anywhere; without the agent, it is nobody's in particular.
  if (!names.includes("@authority") || !names.includes("signature-agent")) return "spoofed";
  // A signed digest of another body: the request was changed, or the signature taken from another one.
  if (names.includes("content-digest") && parsed.digest?.isRight === false) return "spoofed";
  const algorithm = parameters.get("alg");
  const key = keys.get(`${parameters.get("keyid")}`);
  if (key === undefined || (algorithm !== undefined && algorithm !== "ed25519")) return "spoofed";
  for (const authority of request.authorities) {
    const base = signatureBase(parsed, { ...request, authority });
    // It covers something that the service does not keep, such as another header.
    if (base === null) return "claimed";
    if (verify(null, Buffer.from(base), key, parsed.signature)) return "verified";
  }
  return "spoofed";
}

/** Returns the text that was signed (RFC 9421 section 2.5); null when it covers what is unknown here. */
function signatureBase(
  { input, agents, path, digest }: ParsedSignature,
  { authority, method }: Pick<SignedRequest, "method"> & { authority: string },
): string | null {
  const lines: string[] = [];
  for (const component of input[0]) {
    const value = valueOfComponent(component);
    if (value === null) return null;
    lines.push(`${serializeItem(component)}: ${value}`);
  }
  return [...lines, `"@signature-params": ${serializeInnerList(input)}`].join("\n");

  function valueOfComponent([name, parameters]: Item): string | null {
    const key = parameters.get("key");
    if (name === "signature-agent") {
      if (key === undefined) return parameters.size === 0 ? agents.header.trim() : null;
      const member = agents.members?.get(`${key}`);
      return member && !isInnerList(member) ? serializeItem(member) : null;
    }
    if (parameters.size > 0) return null;
    if (name === "@authority") return authority;
    if (name === "@method") return method;
    if (name === "@path") return path;
    if (name === "content-digest") return digest?.header.trim() ?? null;
    return name === "@target-uri" ? `https://${authority}${path}` : null;
  }
}

/** Returns the operators whose signatures are checked: those of the bundled list, and the operator's own. */
export function signatureAgents(): SignatureAgent[] {
  const own = ownLists().signatureAgents;
  return [...own, ...bundled.entries.filter(({ host }) => !own.some((entry) => entry.host === host))];
}

/** Returns the operator whose keys a host publishes, or null. */
const signatureAgentAt = (host: string): SignatureAgent | null =>
  ownLists().signatureAgents.find((entry) => entry.host === host) ??
  bundled.entries.find((entry) => entry.host === host) ??
  null;

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
