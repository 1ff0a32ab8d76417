import { UAParser } from "ua-parser-js";
import { classifyAgent } from "@/lib/ingest/enrich/classify";
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
const cache = boundedMap<string, KnownAgent>("agents", {
  max: 20_000,
  maxSize: 4_000_000,
  sizeCalculation: (_, key) => key.length + 1,
  ttl: 3600_000,
});

/** Parses a user agent. `bot` is the name of a robot, else `''`. */
export function readAgent(userAgent: string): KnownAgent {
  const known = cache.get(userAgent);
  if (known) return known;
  const { browser, os, device } = new UAParser(userAgent).getResult();
  const fields = {
    browser: clip(browser.name ?? "", 100),
    browser_version: clip(browser.version?.split(".")[0] ?? "", 20),
    os: clip(os.name ?? "", 100),
    os_version: clip(os.version ?? "", 20),
    device: deviceOf(device.type, browser.name),
  };
  const verdict = classifyAgent(userAgent, fields);
  const isRobot = verdict?.traffic === "bot" || verdict?.traffic === "ai";
  const agent = { ...fields, bot: verdict?.bot ?? "", isBrowser: !isRobot && browser.name !== undefined, verdict };
  cache.set(userAgent, agent);
  return agent;
}

function deviceOf(type: string | undefined, browser: string | undefined): string {
  if (type === "mobile" || type === "wearable") return "Mobile";
  if (type === "tablet") return "Tablet";
  if (type === "smarttv" || type === "console") return "TV or console";
  return browser === undefined ? "" : "Desktop";
}

/** Returns the class of a screen by its width in CSS pixels, from `1920x1080` or `1920`; `''` when unknown. */
export function screenClass(screen: string | undefined): string {
  const width = Number(/^(\d{1,5})(x\d{1,5})?$/.exec(screen ?? "")?.[1] ?? 0);
  if (width === 0) return "";
  if (width < 576) return "Phone (under 576 px)";
  if (width < 992) return "Tablet (576 to 991 px)";
  return width < 1440 ? "Laptop (992 to 1439 px)" : "Desktop (1440 px and more)";
}

/**
 * Returns a language tag in canonical form without script and variants: `EN-latn-gb` becomes `en-GB`. `''` for an
 * invalid tag.
 */
export function languageOf(tag: string | undefined): string {
  if (!tag || tag.length > 35) return "";
  try {
    const { language, region } = new Intl.Locale(tag);
    return region ? `${language}-${region}` : language;
  } catch {
    return "";
  }
}
