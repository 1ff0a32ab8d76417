import type { Purpose, VerdictReason } from "@/lib/ingest/event/verdict";
import { clip } from "@/lib/platform/text";

/** A user agent that is not a person's browser, and what is known about it. */
export interface Robot {
  reason: VerdictReason;
  bot: string;
  operator: string;
  purpose: Purpose | "";
}

/** An entry of a list of robots. A token that ends in `*` stands for all words that begin with it. */
interface ListedRobot {
  token: string;
  operator: string;
  purpose: string;
}

/** Robots that are known by name, whatever else the user agent says. */
export class RobotNames {
  readonly #exact = new Map<string, Robot>();
  readonly #lower = new Map<string, Robot>();
  readonly #prefixes: [prefix: string, robot: Robot][] = [];
  /** Names with a space, which are not words. */
  readonly #spaced = new Map<string, { pattern: RegExp; robot: Robot }>();

  add(reason: VerdictReason, { token, operator, purpose }: ListedRobot): void {
    const bot = token.replace("*", "");
    const robot = { reason, bot, operator, purpose: purpose as Purpose };
    if (token.endsWith("*")) this.#prefixes.push([bot.toLowerCase(), robot]);
    else if (/[^\w.-]/.test(token)) this.#spaced.set(token, { pattern: wholeWords(token), robot });
    else {
      // Two lists may write a name differently: the later one, which we compiled, has the operator.
      const known = this.#lower.get(bot.toLowerCase());
      this.#exact.set(bot, robot);
      this.#lower.set(bot.toLowerCase(), robot);
      if (known?.reason === reason) this.#exact.set(known.bot, robot);
    }
  }

  /** Longer prefixes first, so that a more exact one decides. */
  finish(): this {
    this.#prefixes.sort(([one], [other]) => other.length - one.length);
    return this;
  }

  /** Returns the first known robot among the words; one of an AI product takes precedence over others. */
  find(text: string, counts: (word: string) => boolean): Robot | undefined {
    for (const { pattern, robot } of this.#spaced.values()) if (pattern.test(text)) return robot;
    let first: Robot | undefined;
    for (const word of text.match(WORDS) ?? []) {
      const robot = this.#of(word);
      if (robot === undefined || !counts(word)) continue;
      if (robot.reason === "ai_agent") return robot;
      first ??= robot;
    }
    return first;
  }

  #of(word: string): Robot | undefined {
    const exact = this.#exact.get(word);
    if (exact !== undefined) return exact;
    const lower = word.toLowerCase();
    const known = this.#lower.get(lower);
    if (known !== undefined) return known;
    const prefix = this.#prefixes.find(([start]) => lower.startsWith(start));
    return prefix && { ...prefix[1], bot: clip(LETTERS.exec(word)?.[0] ?? prefix[1].bot, 100) };
  }
}

/** What follows a prefix is not on a list: other characters could identify a single sender. */
const LETTERS = /^[A-Za-z]+(?:-[A-Za-z]+){0,2}/;
const WORDS = /[A-Za-z0-9][A-Za-z0-9._-]*/g;
const wholeWords = (token: string) =>
  new RegExp(`(?<![\\w-])${token.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w-])`, "i");
