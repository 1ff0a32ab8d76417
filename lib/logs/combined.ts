import { isIP } from "node:net";
import type { LogLine } from "@/lib/logs/log-line";

/** As much of a string as the parser needs, so that a test can count what it costs. */
export type Text = Pick<string, "length" | "indexOf" | "slice" | "charCodeAt">;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const TIME = /^\[(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d{4})\] "$/;
const TIME_LENGTH = '[04/Mar/2025:11:58:03 +0000] "'.length;

/**
 * Reads a line of the format "combined" of nginx or Apache; null when it is none. The host may stand in front
 * (`vhost_combined`), fields of their own behind. The line is read once from left to right, since strangers write half
 * of it: whatever it holds, it costs no more than its length.
 */
export function readCombined(text: Text): LogLine | null {
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

/** The host of `example.com:443`; null for an address, of which IPv6 ends alike. */
function hostOf(word: string): string | null {
  const colon = word.lastIndexOf(":");
  return colon > 0 && isIP(word) === 0 && /^\d+$/.test(word.slice(colon + 1)) ? word.slice(0, colon) : null;
}

/** A place in a line that only moves on; beyond the end once something is missing. */
class Cursor {
  private at = 0;
  constructor(private readonly text: Text) {}

  /** Up to the next space, which is passed. */
  word(): string {
    const space = this.text.indexOf(" ", this.at);
    const word = this.text.slice(this.at, space < 0 ? this.text.length : space);
    this.at = space < 0 ? this.text.length : space + 1;
    return word;
  }

  /** Passes whatever stands before the time; the names of people who sign in may hold spaces and brackets. */
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

  /** What stands between quotes, its escapes as they are; the space behind is passed. */
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

const LETTERS: Readonly<Record<string, string>> = { b: "\b", n: "\n", r: "\r", t: "\t", v: "\v" };

/** `\"`, `\n`, and `\xC3\xA9`, by which the servers write each byte of what could end the field or is not ASCII. */
const decode = (text: string): string =>
  text.replace(/((?:\\x[0-9a-fA-F]{2})+)|\\(.)/g, (_, bytes: string | undefined, escaped: string) =>
    bytes ? Buffer.from(bytes.replaceAll("\\x", ""), "hex").toString() : (LETTERS[escaped] ?? escaped),
  );
