import {
  type CountryCode,
  findPhoneNumbersInText,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from "libphonenumber-js/min";
import type { Replace } from "@/lib/ingest/scrubbing/kinds";

const GAP = "(?:[ \\u00a0.()/-]|%20|%28|%29|%C2%A0)";
/** A plus sign and 7 to 15 digits, in groups or not. */
const INTERNATIONAL = new RegExp(
  `(?:(?<=%[0-9a-f]{2})|(?<![\\w+]))(?:\\+|%2B)[1-9](?:${GAP}{0,4}\\d){6,14}(?!\\d)`,
  "gi",
);
/** The digits of a North American number as people write them there. */
const NORTH_AMERICAN = /(?<![\w)])(?:1[ -])?\([2-9]\d{2}\)[ -]?\d{3}[ .-]\d{4}(?!\w)/g;
/** Links that call or write to a number. */
const LINK =
  /(?:(?<=%[0-9a-f]{2})|(?<![a-z0-9]))((?:tel|sms|callto|whatsapp|facetime|viber)(?::|%3A)(?:\/\/|%2F%2F)?|(?:wa|t)\.me(?:\/|%2F)|whatsapp\.com(?:\/|%2F)send(?:\/|%2F)|signal\.me\/#p\/)((?:\+|%2B)?\d(?:(?:[ .()-]|%20|%28|%29){0,2}\d){4,16})(?![\w.])/gi;

/** Replaces international numbers that their country can have, and the numbers of links that call. */
export function replacePhones(text: string, replace: Replace): string {
  return text
    .replace(LINK, (_, link: string) => link + replace("phone"))
    .replace(INTERNATIONAL, (found) => (isPossible(found) ? replace("phone") : found))
    .replace(NORTH_AMERICAN, () => replace("phone"));
}

function isPossible(written: string): boolean {
  const plain = written.replace(/^%2B/i, "+").replace(/%2[089]/g, " ");
  return parsePhoneNumberFromString(plain)?.isValid() ?? false;
}

/**
 * Returns whether the value of something named like a phone number has one: 6 to 15 digits as people write them, or a
 * number within a text.
 *
 * @param country where a national number is dialled, ISO 3166-1; '' if unknown.
 */
export function hasPhone(value: string, country: string): boolean {
  if (/^[\d\s()+./-]{6,32}$/.test(value)) {
    const digits = value.replace(/\D/g, "").length;
    return digits >= 6 && digits <= 15;
  }
  const known = isSupportedCountry(country as CountryCode) ? { defaultCountry: country as CountryCode } : {};
  return /\d{3}/.test(value) && findPhoneNumbersInText(value.slice(0, 200), known).length > 0;
}

// Every repetition is bounded or has one possible start: the text is untrusted and must be matched in linear time.
const AT_HOST =
  /(?:@|%(?:25){0,3}40|&#64;|&commat;)((?:(?:[\p{L}\p{N}-]|%[89A-F][\dA-F]){1,63}\.){1,8}(?:xn--[a-z0-9-]{2,59}|\p{L}{2,63}))/giu;
const LOCAL_PART = /[^\s@/?&=#:;,<>()[\]"\\\p{Cs}]{1,64}["']?$/u;
const LONGEST_LOCAL_PART = 66;

/** Ends of file names, which no domain has. */
export const FILE_ENDS = new Set(
  "png jpg jpeg gif webp avif svg ico bmp tif tiff js mjs cjs jsx ts tsx css scss less map json html htm xhtml xml pdf woff woff2 ttf otf eot mp3 mp4 webm ogg wav txt csv tsv yml yaml toml lock vue wasm php asp aspx jsp exe dmg apk tar tgz gz bz xz rar jar deb rpm doc docx xls xlsx ppt pptx psd eps heic jxl avi mkv flac m4a crt pem log bak ini conf tpl twig liquid erb graphql svelte astro mdx rst ipynb whl gem iso img bin dll".split(
    " ",
  ),
);
/** Files whose end is a domain too: after `@` they have a density such as 2x, or a version. */
const VERSIONED_FILE =
  /^(?:\d+(?:\.\d+)?x|v?\d+(?:\.\d+)*|latest|next|beta|alpha|canary|stable)\.(?:zip|sh|md|mov|rs|py|pl|so|ai|ps)$/i;
/** Accounts of machines that everybody uses to fetch code. */
const MACHINE = /^(?:git|hg|svn)$/i;

function isMail(local: string, host: string): boolean {
  const end = host.slice(host.lastIndexOf(".") + 1).toLowerCase();
  return !FILE_ENDS.has(end) && !VERSIONED_FILE.test(host) && !MACHINE.test(local);
}

/** Replaces email addresses. Finds hosts after an at sign first, because they are rare, and then the local part. */
export function replaceEmails(text: string, replace: Replace): string {
  let clean = "";
  let done = 0;
  for (const { 0: at, 1: host = "", index } of text.matchAll(AT_HOST)) {
    const local = LOCAL_PART.exec(text.slice(Math.max(done, index - LONGEST_LOCAL_PART), index))?.[0];
    if (!local || !isMail(local, host)) continue;
    // An encoded `mailto:` is no part of the address.
    const [scheme = ""] = /^mailto%3A/i.exec(local) ?? [];
    clean += text.slice(done, index - local.length) + scheme + replace("email");
    done = index + at.length;
  }
  return clean + text.slice(done);
}
