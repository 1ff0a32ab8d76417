import type { TrafficClass } from "@/lib/contract/vocabulary";

/** Why a hit has its class, with the sentence a person reads. The list is closed; what nothing speaks against is human. */
export const REASONS = {
  ai_agent: { traffic: "ai", about: "The user agent names a crawler, assistant or agent of an AI product." },
  crawler: { traffic: "bot", about: "The user agent names a crawler that is on a list of them." },
  robot_words: { traffic: "bot", about: "The user agent has the words of a robot, a library or a command line tool." },
  no_user_agent: { traffic: "bot", about: "The request names no user agent, which every browser does." },
  spam_referrer: {
    traffic: "spam",
    about: "The referrer is a site that is known to send visits only to be looked at.",
  },
  headless: { traffic: "suspicious", about: "The browser says of itself that nobody sees it (headless)." },
  automated: {
    traffic: "suspicious",
    about: "The browser says of itself that a program drives it (navigator.webdriver).",
  },
  no_language: {
    traffic: "suspicious",
    about: "A page's request by a Chromium browser names no language, which every such browser does.",
  },
  hints_contradict: {
    traffic: "suspicious",
    about: "The client hints of a page's request name another browser than its user agent.",
  },
  too_many_pages: {
    traffic: "suspicious",
    about: "One address and browser opened more than 300 pages of the site within a minute.",
  },
  data_centre: {
    traffic: "suspicious",
    about:
      "A browser in a network of rented servers (Alibaba Cloud, Contabo, DigitalOcean, Hetzner, OVH, Tencent Cloud), where nobody sits and reads; now and then it is a person behind a private VPN.",
  },
  old_browser: { traffic: "suspicious", about: "A desktop browser that was replaced more than eight years ago." },
} as const satisfies Record<string, { traffic: Exclude<TrafficClass, "human">; about: string }>;
export type Reason = keyof typeof REASONS;

/** What a robot comes for. */
export const PURPOSES = {
  crawler: "collects pages for its operator",
  training: "collects pages to train a model",
  search: "collects pages for a search engine",
  assistant: "reads a page because somebody asked an assistant",
  agent: "acts on pages for somebody",
} as const;
export type Purpose = keyof typeof PURPOSES;

/** Why a hit that is not a person's has its class. `''` stands for what does not apply. */
export interface Verdict {
  traffic: Exclude<TrafficClass, "human">;
  reason: Reason;
  /** The name by which the robot is known, or the domain of a spammer. */
  bot: string;
  /** Who runs the robot, or the network of servers that a browser came from. */
  operator: string;
  purpose: Purpose | "";
  /** Whether the address is one of those the operator publishes; `claimed` when it publishes none that we know. */
  verified: "" | "claimed" | "verified" | "spoofed";
  /** The lists it was decided by. */
  version: string;
}
