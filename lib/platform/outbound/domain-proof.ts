import { type Internet, readPage, readTxt, Unreachable } from "@/lib/platform/outbound/outbound";
import { clip } from "@/lib/platform/text";

/** Covers DNS, connection and response. */
const DEADLINE_MS = 10_000;
const MAX_BYTES = 1024;

/** The proof to look for: `value`, published for `domain` by `method`. */
interface ProofQuery {
  domain: string;
  method: "dns" | "https";
  value: string;
  /** The last path segment of the URL of an HTTPS proof. */
  token: string;
}

/**
 * The result of a lookup. The reasons are coarse on purpose: they tell an agent what to fix without revealing our
 * network. A `temporary` failure says nothing about the proof and should not count as an attempt.
 */
export type ProofResult =
  | { found: true }
  | {
      found: false;
      reason: "dns_no_match" | "https_unreachable" | "https_mismatch";
      temporary: boolean;
      /** The first three TXT records that were found instead, shortened. They are public. */
      instead?: string[];
    };

/** Returns where the proof of a domain is published: the name of its TXT record, and the URL of its file. */
export function proofPlaces(domain: string, token: string): { dns_name: string; https_url: string } {
  return {
    dns_name: `_footfall-challenge.${domain}`,
    https_url: `https://${domain}/.well-known/footfall-challenge/${token}`,
  };
}

/**
 * Looks for a proof. Network errors do not throw.
 *
 * @param internet only for tests.
 */
export async function findProof(query: ProofQuery, internet?: Internet): Promise<ProofResult> {
  try {
    return await (query.method === "dns" ? findRecord(query, internet) : findFile(query, internet));
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    const reason = query.method === "dns" ? "dns_no_match" : "https_unreachable";
    return { found: false, reason, temporary: error.temporary };
  }
}

/** One matching record is enough: a name often has other TXT records too. */
async function findRecord({ domain, value, token }: ProofQuery, internet?: Internet): Promise<ProofResult> {
  const records = await readTxt(proofPlaces(domain, token).dns_name, { deadlineMs: DEADLINE_MS }, internet);
  if (records.some((record) => record.trim() === value)) return { found: true };
  const instead = records.slice(0, 3).map((record) => clip(record, 120));
  return { found: false, reason: "dns_no_match", temporary: false, instead };
}

/** Follows no redirects: being able to redirect visitors does not prove ownership of the domain. */
async function findFile({ domain, value, token }: ProofQuery, internet?: Internet): Promise<ProofResult> {
  const limits = { limitBytes: MAX_BYTES, deadlineMs: DEADLINE_MS };
  const { status, body, complete } = await readPage(proofPlaces(domain, token).https_url, limits, internet);
  if (status === 200 && complete && body.toString().replace(/\r?\n$/, "") === value) return { found: true };
  return { found: false, reason: "https_mismatch", temporary: false };
}
