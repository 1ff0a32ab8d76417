import bundled from "@/lib/ingest/enrich/data/signature-agents.json";
import { ownLists, type SignatureAgent } from "@/lib/ingest/enrich/own-lists";

/** Returns the operators whose signatures are checked: those of the bundled list, and the operator's own. */
export function signatureAgents(): SignatureAgent[] {
  const own = ownLists().signatureAgents;
  return [...own, ...bundled.entries.filter(({ host }) => !own.some((entry) => entry.host === host))];
}

/** Returns the operator whose keys a host publishes, or null. */
export const signatureAgentAt = (host: string): SignatureAgent | null =>
  ownLists().signatureAgents.find((entry) => entry.host === host) ??
  bundled.entries.find((entry) => entry.host === host) ??
  null;
