import { SCRUBBED } from "@/lib/ingest/event/scrub";
import { FILTER_REASONS } from "@/lib/ingest/event/values";

const SENTENCES: Record<string, string> = {
  ...FILTER_REASONS,
  ...SCRUBBED,
  "invalid_input:Origin": "Sent by a page that is not on this site's domain",
  "invalid_input:url": "The page's address is not on this site's domain",
  "invalid_input:X-Forwarded-For": "A proxy of the site forwarded it without the address of a visitor",
  "invalid_input:X-Footfall-Timestamp":
    "A proxy of the site forwarded it without the time, or with one that is too far from ours",
  "invalid_input:X-Footfall-Signature": "A proxy of the site forwarded it without a valid signature",
  invalid_input: "A field was not understood, or is none of ours",
  malformed_json: "It was not JSON",
  payload_too_large: "It was too large",
  unsupported_media_type: "It came in a form that is not taken, or compressed",
  invalid_token: "It came with an ingest key that has ended, or is another site's",
  rate_limited: "Too many at once, from one address or with one key",
  quota_exceeded: "The monthly quota is used up",
  unavailable: "The service was too busy for a moment",
};

/** Why something was not counted, or what was replaced in it, in words. */
export function refusalSentence(reason: string): string {
  const [code, path] = reason.split(":");
  if (code === "invalid_input" && path) return SENTENCES[reason] ?? `The field “${path}” was not understood`;
  const sentence = SENTENCES[reason] ?? reason.replaceAll("_", " ");
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
