import type { ScrubRule, ScrubRuleKind } from "@/lib/contract/scrub-rule-kinds";
import { decoded, normalKey } from "@/lib/ingest/scrubbing/keys";
import type { OnScrubbed } from "@/lib/ingest/scrubbing/kinds";
import { pathMatcher, segmentMatches } from "@/lib/platform/path-patterns";

/** A site's own rules of what is replaced besides the kinds that the service knows, and what is not. */
export interface ScrubRules {
  /** Replaces the words that match the site's patterns. */
  patterns(text: string, note: OnScrubbed): string;
  /** Returns whether the values of a key are always replaced. */
  isNamed(key: string): boolean;
  /** Returns whether the values of a key are stored as they were sent. */
  isKept(key: string): boolean;
  /** Splits a text into what is to be scrubbed and, at odd places, pairs of keys that are kept; null if there are none. */
  keptPairs(text: string): string[] | null;
  /** Returns whether a path is stored as it was sent. */
  keepsPath(path: string): boolean;
}

const no = () => false;
export const NO_RULES: ScrubRules = {
  patterns: (text) => text,
  isNamed: no,
  isKept: no,
  keptPairs: () => null,
  keepsPath: no,
};

/** What stands between words. */
const BETWEEN = /([\s/?&=#;,:"'()<>[\]{}|!]+)/;
const PAIR = /(?<![\w.%[\]-])([\w.%[\]-]{1,100}?)(?:=|%3D)[^&#;\s"']+/gi;

/** Compiles a site's rules. @param mergeSlashes whether slashes at the end of a path make no other page. */
export function compileScrubRules(
  rules: readonly ScrubRule[],
  { mergeSlashes }: { mergeSlashes: boolean },
): ScrubRules {
  if (rules.length === 0) return NO_RULES;
  const of = (kind: ScrubRuleKind) => rules.filter((rule) => rule.kind === kind).map(({ pattern }) => pattern);
  const patterns = of("pattern").map((pattern) => pattern.toLowerCase().split("*"));
  const named = new Set(of("key").map(normalKey));
  const kept = new Set(of("kept_key").map(normalKey));
  const matches = (word: string) => {
    const plain = decoded(word).toLowerCase();
    return patterns.some((literals) => segmentMatches(literals, plain));
  };
  const isKept = (key: string) => kept.size > 0 && kept.has(normalKey(key));
  return {
    isNamed: (key) => named.size > 0 && named.has(normalKey(key)),
    isKept,
    patterns(text, note) {
      if (patterns.length === 0) return text;
      return text
        .split(BETWEEN)
        .map((part, index) => {
          const word = index % 2 === 0 ? part.replace(/\.$/, "") : "";
          if (word === "" || !matches(word)) return part;
          note("custom");
          return `(custom)${part.slice(word.length)}`;
        })
        .join("");
    },
    keptPairs(text) {
      if (kept.size === 0) return null;
      const parts: string[] = [];
      let done = 0;
      for (const { 0: pair, 1: key = "", index } of text.matchAll(PAIR)) {
        if (!isKept(key)) continue;
        parts.push(text.slice(done, index), pair);
        done = index + pair.length;
      }
      return [...parts, text.slice(done)];
    },
    keepsPath: pathMatcher(of("kept_path"), { mergeSlashes }),
  };
}
