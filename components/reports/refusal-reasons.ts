import { capitalise } from "@/components/ui/capitalise";
import { FILTER_REASONS } from "@/lib/ingest/event/decided-event";
import { SCRUBBED } from "@/lib/ingest/scrubbing/kinds";

const SENTENCES: Record<string, string> = {
  ...FILTER_REASONS,
  ...SCRUBBED,
  "invalid_input:Origin": "Sent by a page outside the site's domains",
  "invalid_input:domain": "Sent with a domain that no site has, by a page of this site",
  "invalid_input:url": "The page URL is outside the site's domains",
  "invalid_input:website": "Sent with a website id that is mapped to no site, by a page of this site",
  "invalid_input:X-Forwarded-For": "Forwarded by a proxy of the site without the visitor's IP address",
  "invalid_input:X-Footfall-Timestamp": "Forwarded by a proxy of the site with a missing or outdated timestamp",
  "invalid_input:X-Footfall-Signature": "Forwarded by a proxy of the site without a valid signature",
  invalid_input: "Invalid or unknown field",
  malformed_json: "Invalid JSON",
  payload_too_large: "Request body too large",
  unsupported_media_type: "Unsupported content type or encoding",
  invalid_token: "Ingest key is revoked, expired or belongs to another site",
  rate_limited: "Rate limit of the IP address or ingest key exceeded",
  quota_exceeded: "Monthly quota used up",
  site_not_granted: "The site was disabled",
  unavailable: "Service temporarily overloaded",
};

/** Returns why an event was rejected, or what was redacted in it, as display text. */
export function refusalSentence(reason: string): string {
  const [code, path] = reason.split(":");
  if (code === "invalid_input" && path) return SENTENCES[reason] ?? `Invalid field “${path}”`;
  const sentence = SENTENCES[reason] ?? reason.replaceAll("_", " ");
  return capitalise(sentence);
}
