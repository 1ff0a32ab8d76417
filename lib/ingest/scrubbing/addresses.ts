import { isIP } from "node:net";
import type { Replace } from "@/lib/ingest/scrubbing/kinds";

/** IP addresses. Version numbers look like them, so only where an address is expected. */

/** Loopback and unspecified addresses are nobody's. */
const NOBODY = /^(?:127\.\d+\.\d+\.\d+|0\.0\.0\.0|::1?)$/;

/** Returns whether a text is an IP address, perhaps with a port or in brackets. */
export function isAddress(text: string): boolean {
  if (text.length > 60 || !/^[[:0-9a-f]+[.:]/i.test(text)) return false;
  const bare = text.replace(/^\[([^\]]*)\](?::\d{1,5})?$/, "$1").replace(/^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/, "$1");
  return isIP(bare) !== 0 && !NOBODY.test(bare);
}

/** All parts of versions are small, or the last two are zero. */
const isVersion = (text: string): boolean => /^\d/.test(text) && (/\.0\.0$/.test(text) || !/[3-9]\d|\d{3}/.test(text));

/** Returns whether a text that nothing names is an IP address rather than a version. */
export const isBareAddress = (text: string): boolean => isAddress(text) && !isVersion(text);

/** An address after the word for it, in a sentence. */
const IN_SENTENCE = /\b((?:ip|from|by|host|address|client|visitor)[:=]? {1,2})(\d{1,3}(?:\.\d{1,3}){3})(?![\w.]*\d)/gi;

/** The segment of a path after the word for it. */
const IN_PATH = /(?<=\/(?:ips?|ipv4|ip-?(?:address(?:es)?|lookup|info))\/)\d{1,3}(?:\.\d{1,3}){3}(?![\w.])/gi;

/** Replaces IPv4 addresses where a word announces them: "Signed in from 203.0.113.7", `/ip/203.0.113.7`. */
export const replaceExpected = (text: string, replace: Replace): string =>
  text
    .replace(IN_SENTENCE, (found, before: string, address: string) =>
      isBareAddress(address) ? before + replace("ip") : found,
    )
    .replace(IN_PATH, (address) => (isAddress(address) ? replace("ip") : address));

const WORD = /[0-9a-f:.[\]%]{2,64}/gi;

/** Replaces each address in the value of something named like one, such as `X-Forwarded-For`. */
export const replaceAddresses = (text: string, replace: Replace): string =>
  text.replace(WORD, (word) => (isAddress(word) ? replace("ip") : word));

/** The long form of IPv6, with at least four groups, which nothing else has. */
const IPV6 = /(?<![\w:.])(?:[0-9a-f]{1,4}(?::|%3A)|::|%3A%3A){1,8}[0-9a-f:.]{0,40}(?![\w:])/gi;

/** Replaces IPv6 addresses of at least four groups, anywhere. */
export const replaceIpv6 = (text: string, replace: Replace): string =>
  text.replace(IPV6, (found) => {
    const plain = found.replace(/%3A/gi, ":");
    const groups = plain.split(":").filter((group) => group !== "").length;
    return groups >= 4 && isAddress(plain) ? replace("ip") : found;
  });
