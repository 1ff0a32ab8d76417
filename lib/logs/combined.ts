import { isIP } from "node:net";
import type { LogLine } from "@/lib/logs/log-line";

/** The string methods that the parser uses, so that a test can count its steps. */
export type Text = Pick<string, "length" | "indexOf" | "slice" | "charCodeAt">;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const TIME = /^\[(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d{4})\] "$/;
const TIME_LENGTH = '[04/Mar/2025:11:58:03 +0000] "'.length;

/**
 * Parses a line in the "combined" format of nginx or Apache; null for another format. Accepts a leading host
 * (`vhost_combined`) and additional trailing fields. Linear in the length of the line, whose content is untrusted.
 */
export function readCombinedLine(text: Text): LogLine | null {
  const cursor = new Cursor(text);
  const first = cursor.word();
  const host = hostOf(first);
  const address = host === null ? first : cursor.word();
  const at = cursor.time();
  const request = at && cursor.quoted();
  const status = cursor.word();
  cursor.word();
  const referrer = cursor.quoted();
  const userAgent = cursor.quoted();
  const [, method, target] = /^(\S+) (\S+)/.exec(request ?? "") ?? [];
  if (!at || !address || !method || !target || !/^\d{3}$/.test(status)) return null;
  if (referrer === null || userAgent === null) return null;
  return {
    address,
    host,
    at,
    method,
    target: decode(target),
    status: Number(status),
    referrer: referrer === "" || referrer === "-" ? null : decode(referrer),
    userAgent: userAgent === "-" ? "" : decode(userAgent),
  };
}

/** Returns the host of `example.com:443`; null for an IP address, since IPv6 addresses look similar. */
function hostOf(word: string): string | null {
  const colon = word.lastIndexOf(":");
  return colon > 0 && isIP(word) === 0 && /^\d+$/.test(word.slice(colon + 1)) ? word.slice(0, colon) : null;
}

/** A forward-only cursor in a line. Moves past the end when an expected part is missing. */
class Cursor {
  private at = 0;
  constructor(private readonly text: Text) {}

  /** Reads up to the next space and skips it. */
  word(): string {
    const space = this.text.indexOf(" ", this.at);
    const word = this.text.slice(this.at, space < 0 ? this.text.length : space);
    this.at = space < 0 ? this.text.length : space + 1;
    return word;
  }

  /** Skips everything before the time: user names may contain spaces and brackets. */
  time(): Date | null {
    for (let start = this.at; ; start++) {
      start = this.text.indexOf("[", start);
      if (start < 0) break;
      const [, day, month, year, time, zone] = TIME.exec(this.text.slice(start, start + TIME_LENGTH)) ?? [];
      if (!day) continue;
      this.at = start + TIME_LENGTH - 1;
      const at = new Date(`${day} ${month} ${year} ${time} ${zone}`);
      return Number.isNaN(at.getTime()) ? null : at;
    }
    this.at = this.text.length;
    return null;
  }

  /** Reads a quoted string without decoding its escapes, and skips the space after it. */
  quoted(): string | null {
    if (this.text.charCodeAt(this.at) !== QUOTE) return null;
    let end = this.at + 1;
    for (let code = this.text.charCodeAt(end); code !== QUOTE; code = this.text.charCodeAt(end)) {
      end += code === BACKSLASH ? 2 : 1;
      if (end >= this.text.length) return null;
    }
    const quoted = this.text.slice(this.at + 1, end);
    this.at = end + 2;
    return quoted;
  }
}

const ESCAPES: Readonly<Record<string, string>> = { b: "\b", n: "\n", r: "\r", t: "\t", v: "\v" };

/** Decodes escapes: `\"`, `\n`, and bytes such as `\xC3\xA9`. */
const decode = (text: string): string =>
  text.replace(/((?:\\x[0-9a-fA-F]{2})+)|\\(.)/g, (_, bytes: string | undefined, escaped: string) =>
    bytes ? Buffer.from(bytes.replaceAll("\\x", ""), "hex").toString() : (ESCAPES[escaped] ?? escaped),
  );
