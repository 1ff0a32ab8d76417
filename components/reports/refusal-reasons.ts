import { FILTER_REASONS } from "@/lib/ingest/event/decided-event";
import { SCRUBBED } from "@/lib/ingest/scrubbing/kinds";
import { capitalise } from "@/lib/texts/capitalise";
import { msg, t } from "@/lib/texts/translate";

const SENTENCES: Record<string, string> = {
  ...FILTER_REASONS,
  ...SCRUBBED,
  "invalid_input:Origin": msg("Sent by a page outside the site's domains"),
  "invalid_input:domain": msg("Sent with a domain that no site has, by a page of this site"),
  "invalid_input:url": msg("The page URL is outside the site's domains"),
  "invalid_input:website": msg("Sent with a website id that is mapped to no site, by a page of this site"),
  "invalid_input:X-Forwarded-For": msg("Forwarded by a proxy of the site without the visitor's IP address"),
  "invalid_input:X-Footfall-Timestamp": msg("Forwarded by a proxy of the site with a missing or outdated timestamp"),
  "invalid_input:X-Footfall-Signature": msg("Forwarded by a proxy of the site without a valid signature"),
  invalid_input: msg("Invalid or unknown field"),
  malformed_json: msg("Invalid JSON"),
  payload_too_large: msg("Request body too large"),
  unsupported_media_type: msg("Unsupported content type or encoding"),
  invalid_token: msg("Ingest key is revoked, expired or belongs to another site"),
  rate_limited: msg("Rate limit of the IP address or ingest key exceeded"),
  quota_exceeded: msg("Monthly quota used up"),
  site_not_granted: msg("The site was disabled"),
  unavailable: msg("Service temporarily overloaded"),
};

/** Returns why an event was rejected, or what was redacted in it, as display text. */
export function refusalSentence(reason: string): string {
  const [code, path] = reason.split(":");
  if (code === "invalid_input" && path) {
    const sentence = SENTENCES[reason];
    return sentence ? t(sentence) : t("Invalid field “{field}”", { field: path });
  }
  return capitalise(t(SENTENCES[reason] ?? reason.replaceAll("_", " ")));
}
