import type { KnownAgent } from "@/lib/ingest/enrich/agent";
import { boundedMap } from "@/lib/platform/bounded-map";

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

/** The keys are untrusted, so their total length is bounded, too. */
const cache = boundedMap<string, KnownAgent>("client-hints", {
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
  const known = cache.get(key);
  if (known) return known;
  const refined = { ...agent, ...browserOf(agent, hints), ...systemOf(agent, hints) };
  cache.set(key, refined);
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
  // A phone that requests desktop pages says so in its user agent only.
  const device = os === "Android" && hints.mobile === "?1" ? "Mobile" : agent.device;
  return { os, os_version: version, device };
}

/** Returns the marketing version. Windows 11 sends 13 and higher, Windows 10 sends 1 to 10. */
function versionOf(platform: string, sent: string | null): string | null {
  const major = Number(/^"?(\d{1,3})/.exec(sent ?? "")?.[1] ?? 0);
  if (major === 0) return null;
  if (platform === "Windows") return major >= 13 ? "11" : "10";
  return `${major}`;
}
