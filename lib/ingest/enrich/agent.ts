import { classifyAgent } from "@/lib/ingest/enrich/classify";
import { parseUserAgent } from "@/lib/ingest/enrich/user-agent";
import { unknownValue } from "@/lib/ingest/event/catalogue";
import type { Agent } from "@/lib/ingest/event/decided-event";
import type { Verdict } from "@/lib/ingest/event/verdict";
import { boundedMap } from "@/lib/platform/bounded-map";
import { clip } from "@/lib/platform/text";

export type KnownAgent = Omit<Agent, "screen"> & {
  /** Whether it is a person's browser, whose address is a visitor's. */
  isBrowser: boolean;
  /** The verdict from the user agent alone; null for human. */
  verdict: Verdict | null;
};

/** An event of a server that did not send a user agent: unknown, and not suspicious. */
export const NO_AGENT: KnownAgent = { ...unknownValue("agent"), isBrowser: false, verdict: null };

/** The keys are untrusted, so their total length is bounded, too. */
const agents = boundedMap<string, KnownAgent>("agents", {
  max: 20_000,
  maxSize: 4_000_000,
  sizeCalculation: (_, key) => key.length + 1,
  ttl: 3600_000,
});

/** Parses a user agent. `bot` is the name of a robot, else `''`. */
export function readAgent(userAgent: string): KnownAgent {
  const known = agents.get(userAgent);
  if (known) return known;
  const parsed = parseUserAgent(userAgent);
  const fields = {
    browser: clip(parsed.browser, 100),
    browser_version: clip(parsed.browserVersion.split(".")[0] ?? "", 20),
    os: clip(parsed.os, 100),
    os_version: clip(parsed.osVersion, 20),
    device: parsed.device,
  };
  const verdict = classifyAgent(userAgent, fields);
  const isRobot = verdict?.traffic === "bot" || verdict?.traffic === "ai";
  const agent = { ...fields, bot: verdict?.bot ?? "", isBrowser: !isRobot && fields.browser !== "", verdict };
  agents.set(userAgent, agent);
  return agent;
}

/**
 * User-Agent Client Hints of Chromium browsers, whose user agent is frozen, as raw header values. The platform version
 * is sent only if the site requests it with `Accept-CH`.
 */
export interface ClientHints {
  brands: string | null;
  platform: string | null;
  platformVersion: string | null;
  mobile: string | null;
}

const MAX_LENGTH = 300;

/** Returns the hints of a request, or null without any. */
export function readHints(header: (name: string) => string | null): ClientHints | null {
  const brands = header("sec-ch-ua-full-version-list") ?? header("sec-ch-ua");
  if (brands === null) return null;
  return {
    brands: brands.slice(0, MAX_LENGTH),
    platform: header("sec-ch-ua-platform")?.slice(0, MAX_LENGTH) ?? null,
    platformVersion: header("sec-ch-ua-platform-version")?.slice(0, MAX_LENGTH) ?? null,
    mobile: header("sec-ch-ua-mobile")?.slice(0, MAX_LENGTH) ?? null,
  };
}

/** Bounded like `agents`. */
const refinedAgents = boundedMap<string, KnownAgent>("client-hints", {
  max: 20_000,
  maxSize: 8_000_000,
  sizeCalculation: (_, key) => key.length + 1,
  ttl: 3600_000,
});

/**
 * Refines an agent by its client hints, which distinguish Brave from Chrome and Windows 11 from 10. Robots are not
 * changed.
 */
export function refineAgent(agent: KnownAgent, userAgent: string, hints: ClientHints | null): KnownAgent {
  if (hints === null || !agent.isBrowser) return agent;
  const key = [userAgent, hints.brands, hints.platform, hints.platformVersion, hints.mobile].join("\n");
  const known = refinedAgents.get(key);
  if (known) return known;
  const refined = { ...agent, ...browserOf(agent, hints), ...systemOf(agent, hints) };
  refinedAgents.set(key, refined);
  return refined;
}

/** Brand names in client hints, and their names from user agents. */
const BROWSERS: Record<string, string> = {
  "Google Chrome": "Chrome",
  "Microsoft Edge": "Edge",
  Opera: "Opera",
  "Opera GX": "Opera GX",
  Brave: "Brave",
  Vivaldi: "Vivaldi",
  YaBrowser: "Yandex",
  "Samsung Internet": "Samsung Internet",
  DuckDuckGo: "DuckDuckGo",
  Chromium: "Chromium",
};

/** A user agent that names more than Chrome, such as the app around it, takes precedence. */
function browserOf(agent: KnownAgent, { brands }: ClientHints): Partial<KnownAgent> {
  if (agent.browser !== "Chrome") return {};
  const named = [...(brands ?? "").matchAll(/"([^"]{1,40})";\s*v="(\d{1,5})/g)].flatMap(
    ([, brand = "", version = ""]) => {
      const browser = Object.hasOwn(BROWSERS, brand) ? BROWSERS[brand] : undefined;
      return browser ? [{ browser, browser_version: version }] : [];
    },
  );
  // All of them list Chromium too, so any other brand takes precedence.
  return named.find(({ browser }) => browser !== "Chromium") ?? named[0] ?? {};
}

/** Platform names in client hints, and their names from user agents. */
const SYSTEMS: Record<string, string> = {
  Windows: "Windows",
  macOS: "Mac OS",
  Android: "Android",
  "Chrome OS": "Chromium OS",
  "Chromium OS": "Chromium OS",
};

function systemOf(agent: KnownAgent, hints: ClientHints): Partial<KnownAgent> {
  const platform = hints.platform?.replaceAll('"', "") ?? "";
  const os = Object.hasOwn(SYSTEMS, platform) ? SYSTEMS[platform] : undefined;
  if (os === undefined) return {};
  const version = versionOf(platform, hints.platformVersion) ?? (os === agent.os ? agent.os_version : "");
  return { os, os_version: version, device: deviceOf(agent, os, hints.mobile) };
}

/** A phone or tablet that asks for desktop pages has a computer's user agent, but its own hints. */
function deviceOf({ device }: KnownAgent, os: string, mobile: string | null): string {
  if (os !== "Android") return device;
  if (mobile === "?1") return "Mobile";
  return device === "Desktop" ? "Tablet" : device;
}

/** Returns the marketing version. Windows 11 sends 13 and higher, Windows 10 sends 1 to 10. */
function versionOf(platform: string, sent: string | null): string | null {
  const major = Number(/^"?(\d{1,3})/.exec(sent ?? "")?.[1] ?? 0);
  if (major === 0) return null;
  if (platform === "Windows") return major >= 13 ? "11" : "10";
  return `${major}`;
}

/** Returns the class of a screen by its width in CSS pixels, from `1920x1080` or `1920`; `''` when unknown. */
export function screenClass(screen: string | undefined): string {
  const width = Number(/^(\d{1,5})(x\d{1,5})?$/.exec(screen ?? "")?.[1] ?? 0);
  if (width === 0) return "";
  if (width < 576) return "Phone (under 576 px)";
  if (width < 992) return "Tablet (576 to 991 px)";
  return width < 1440 ? "Laptop (992 to 1439 px)" : "Desktop (1440 px and more)";
}

/** Parsing a tag takes as long as a tenth of all else that an event of a batch needs. */
const languages = boundedMap<string, string>("languages", { max: 2_000, ttl: 3600_000 });

/**
 * Returns a language tag in canonical form without script and variants: `EN-latn-gb` becomes `en-GB`. `''` for an
 * invalid tag.
 */
export function languageTag(tag: string | undefined): string {
  if (!tag || tag.length > 35) return "";
  const known = languages.get(tag) ?? canonicalLanguage(tag);
  languages.set(tag, known);
  return known;
}

function canonicalLanguage(tag: string): string {
  try {
    const { language, region } = new Intl.Locale(tag);
    return region ? `${language}-${region}` : language;
  } catch {
    return "";
  }
}
