import type { TrafficClass } from "@/lib/contract/vocabulary";
import { msg } from "@/lib/texts/translate";

/**
 * Why an event has its traffic class, with the sentence shown to people. The list is closed; without a reason, an event
 * is human.
 */
export const REASONS = {
  ai_agent: {
    traffic: "ai",
    about: msg("The user agent or the signature of the request names a crawler, assistant or agent of an AI product."),
  },
  crawler: { traffic: "bot", about: msg("The user agent names a known crawler.") },
  robot_words: { traffic: "bot", about: msg("The user agent looks like a robot, a library or a command-line tool.") },
  no_user_agent: { traffic: "bot", about: msg("The request has no user agent, which every browser sends.") },
  spam_referrer: {
    traffic: "spam",
    about: msg("The referrer is a site known for referrer spam."),
  },
  headless: { traffic: "suspicious", about: msg("The browser identifies itself as headless.") },
  automated: {
    traffic: "suspicious",
    about: msg("The browser reports that it is controlled by automation (navigator.webdriver)."),
  },
  no_language: {
    traffic: "suspicious",
    about: msg("The request of a Chromium browser has no language, which every such browser sends."),
  },
  hints_contradict: {
    traffic: "suspicious",
    about: msg("The client hints name another browser than the user agent."),
  },
  too_many_pages: {
    traffic: "suspicious",
    about: msg("One address and browser opened more than 300 pages of the site within a minute."),
  },
  data_centre: {
    traffic: "suspicious",
    about: msg(
      "A browser in a hosting network (Alibaba Cloud, Contabo, DigitalOcean, Hetzner, OVH, Tencent Cloud); occasionally a person behind a private VPN.",
    ),
  },
  old_browser: { traffic: "suspicious", about: msg("A desktop browser version that is more than eight years old.") },
} as const satisfies Record<string, { traffic: Exclude<TrafficClass, "human">; about: string }>;
export type VerdictReason = keyof typeof REASONS;

/** What a robot does. */
export const PURPOSES = {
  crawler: "collects pages for its operator",
  training: "collects pages to train a model",
  search: "collects pages for a search engine",
  assistant: "reads a page to answer a person's question",
  agent: "acts on pages for a person",
} as const;
export type Purpose = keyof typeof PURPOSES;

/** What people read for a purpose. */
export const PURPOSE_LABELS: Readonly<Record<Purpose, string>> = {
  crawler: msg("Crawling"),
  training: msg("Training"),
  search: msg("Search index"),
  assistant: msg("Answering a person"),
  agent: msg("Acting for a person"),
};

/** What crawlers of search engines do. */
export const SEARCHING: Purpose = "search";

/** Why an event that is not human has its class. `''` means not applicable. */
export interface Verdict {
  traffic: Exclude<TrafficClass, "human">;
  reason: VerdictReason;
  /** The known name of the robot, or the domain of a spammer. */
  bot: string;
  /** The operator of the robot, or the hosting network of a browser. */
  operator: string;
  purpose: Purpose | "";
  /** Whether signature or address is one that the operator publishes; `claimed` when it publishes neither. */
  verified: "" | "claimed" | "verified" | "spoofed";
  /** Versions of the lists it is based on. */
  version: string;
}
