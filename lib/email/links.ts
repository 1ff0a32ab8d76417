import { env } from "@/lib/platform/env";

/**
 * Defangs untrusted text (from visitors, agents, other people) in emails. Mail clients turn URLs and addresses in plain
 * text into links, which would then appear to come from this service. Defanged text stays readable for people:
 * `https[://]evil[.]example`, `eve[@]evil[.]example`.
 */

const CLOSING = String.raw`[ \t\r\n\])}”"'’»,;:!?.…]|$`;
const BREAKABLE = new RegExp(
  [
    // Already defanged parts match first and stay unchanged.
    String.raw`\[(?::?//|[:@＠.。．｡])\]`,
    ":?//",
    // A scheme such as mailto: or tel:, but not a time such as 12:30.
    String.raw`(?<=[A-Za-z]):(?=[^ \t\r\n])`,
    String.raw`(?<=[^ \t\r\n])[@＠](?=[^ \t\r\n])`,
    // Including the other full stops allowed in domains (UTS 46), but not a decimal point as in 1.5.
    String.raw`(?<=[^ \t\r\n])[.。．｡](?!${CLOSING})(?:(?<!\d\.)|(?!\d)|(?=\d+\.\d)|(?<=\.\d+\.))`,
  ].join("|"),
  "gu",
);

/**
 * Returns untrusted text defanged, so that no mail client turns any part of it into a link.
 *
 * @param kept strings to leave as they are, such as the domain of the recipient's site
 */
export const unlink = (text: string, kept: readonly string[] = []): string => unlinkAround(text, keptPatterns(kept));

const keptPatterns = (kept: readonly string[]): string[] =>
  kept.map((word) => String.raw`(?<![\p{L}\p{N}._@:/-])${escaped(word)}(?![\p{L}\p{N}_@/-]|[.:]\S)`);

/** Defangs the text around everything that matches a pattern. */
function unlinkAround(text: string, patterns: readonly string[]): string {
  if (patterns.length === 0) return defang(text);
  const parts = text.split(new RegExp(`(${patterns.join("|")})`, "u"));
  // `split` with a capturing group puts the matches at odd indexes.
  return parts.map((part, index) => (index % 2 === 1 ? part : defang(part))).join("");
}

const defang = (text: string): string => text.replace(BREAKABLE, (sign) => (sign.startsWith("[") ? sign : `[${sign}]`));

/**
 * Defangs the text of an email, except for URLs below `BASE_URL`.
 *
 * @param kept other strings to leave as they are, such as the verified domain of the recipient's site
 */
export function unlinkOthers(text: string, kept: readonly string[] = []): string {
  const own = String.raw`(?<!\S)${escaped(env().BASE_URL)}(?:/[\w/?=&%#-]*)?(?=[.,;)]*(?:\s|$))`;
  return unlinkAround(text, [own, ...keptPatterns(kept)]);
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
