import { type Internet, readPage, readTxt, Unreachable } from "@/lib/platform/outbound/outbound";
import { clip } from "@/lib/platform/text";

/** What a proof may take in all: names, connection and answer. */
const DEADLINE_MS = 10_000;
const MOST_BYTES = 1024;

/** A proof that is looked for: `value`, published for `domain` in the way that `method` says. */
export interface SoughtProof {
  domain: string;
  method: "dns" | "https";
  value: string;
  /** The last part of the address of an HTTPS proof. */
  token: string;
}

/**
 * What was found. The reasons are coarse on purpose: they tell an honest agent what to mend, and nobody what our network
 * looks like. A `temporary` failure says nothing about the proof and should not count as a try.
 */
export type Finding =
  | { found: true }
  | {
      found: false;
      reason: "dns_no_match" | "https_unreachable" | "https_mismatch";
      temporary: boolean;
      /** What the TXT records say instead, which anyone can read; the first three, shortened. */
      instead?: string[];
    };

/** Where the proof of a domain is published: the name of its TXT record, and the address of its file. */
export function proofPlaces(domain: string, token: string): { dns_name: string; https_url: string } {
  return {
    dns_name: `_footfall-challenge.${domain}`,
    https_url: `https://${domain}/.well-known/footfall-challenge/${token}`,
  };
}

/**
 * Looks for a proof, now. Nothing that happens outside throws.
 *
 * @param internet only for tests.
 */
export async function findProof(sought: SoughtProof, internet?: Internet): Promise<Finding> {
  try {
    return await (sought.method === "dns" ? findRecord(sought, internet) : findFile(sought, internet));
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    const reason = sought.method === "dns" ? "dns_no_match" : "https_unreachable";
    return { found: false, reason, temporary: error.temporary };
  }
}

/** Any record may be the one: a name often carries others too. */
async function findRecord({ domain, value, token }: SoughtProof, internet?: Internet): Promise<Finding> {
  const records = await readTxt(proofPlaces(domain, token).dns_name, { deadlineMs: DEADLINE_MS }, internet);
  if (records.some((record) => record.trim() === value)) return { found: true };
  const instead = records.slice(0, 3).map((record) => clip(record, 120));
  return { found: false, reason: "dns_no_match", temporary: false, instead };
}

/** Without redirects: whoever may redirect a domain's visitors need not be its owner. */
async function findFile({ domain, value, token }: SoughtProof, internet?: Internet): Promise<Finding> {
  const limits = { limitBytes: MOST_BYTES, deadlineMs: DEADLINE_MS };
  const { status, body, complete } = await readPage(proofPlaces(domain, token).https_url, limits, internet);
  if (status === 200 && complete && body.toString().replace(/\r?\n$/, "") === value) return { found: true };
  return { found: false, reason: "https_mismatch", temporary: false };
}
