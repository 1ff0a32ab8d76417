import { env } from "@/lib/platform/env";

/**
 * What others wrote (visitors, agents, other people) must not become a link in an email: a mail program would offer it
 * under the name of this service. Mail programs make links of addresses by themselves, so addresses are written so that
 * none of them does, and a reader still can: `https[://]evil[.]example`, `eve[@]evil[.]example`.
 */

const CLOSING = String.raw`[ \t\r\n\])}”"'’»,;:!?.…]|$`;
const BREAKABLE = new RegExp(
  [
    // What is broken already is matched first, and left as it is.
    String.raw`\[(?::?//|[:@＠.。．｡])\]`,
    ":?//",
    // A scheme such as mailto: or tel:, and not a time such as 12:30.
    String.raw`(?<=[A-Za-z]):(?=[^ \t\r\n])`,
    String.raw`(?<=[^ \t\r\n])[@＠](?=[^ \t\r\n])`,
    // Also the other full stops that domains may have (UTS 46), and not the point of a number such as 1.5.
    String.raw`(?<=[^ \t\r\n])[.。．｡](?!${CLOSING})(?:(?<!\d\.)|(?!\d)|(?=\d+\.\d)|(?<=\.\d+\.))`,
  ].join("|"),
  "gu",
);

/** Text that others wrote, in a form that no mail program makes a link of. */
export const unlink = (text: string): string =>
  text.replace(BREAKABLE, (sign) => (sign.startsWith("[") ? sign : `[${sign}]`));

/**
 * The text of an email in which only our own addresses can become links.
 *
 * @param kept what stays as it is besides, such as the verified domain of the reader's site.
 */
export function unlinkOthers(text: string, kept: readonly string[] = []): string {
  const own = String.raw`(?<!\S)${escaped(env().BASE_URL)}(?:/[\w/?=&%#-]*)?(?=[.,;)]*(?:\s|$))`;
  const words = kept.map((word) => String.raw`(?<![\p{L}\p{N}._@:/-])${escaped(word)}(?![\p{L}\p{N}_@/-]|[.:]\S)`);
  const parts = text.split(new RegExp(`(${[own, ...words].join("|")})`, "u"));
  // What is matched stands at the odd places.
  return parts.map((part, index) => (index % 2 === 1 ? part : unlink(part))).join("");
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
