import { z } from "zod";
import type { ListSource } from "@/lib/cli/lists/list-source";

/** ai.robots.txt: each name with an operator and what it is for, in prose. */
const Robots = z.record(z.string(), z.object({ operator: z.string(), function: z.string() }));

/** Agents of AI products with operator and purpose, by the token in their user agent. */
export const aiAgents: ListSource = {
  name: "ai-agents",
  download: "robots.json",
  source: "https://github.com/ai-robots-txt/ai.robots.txt/blob/main/robots.json",
  licence: "MIT",
  convert(text) {
    const robots = Object.entries(Robots.parse(JSON.parse(text)));
    return robots
      .filter(([token]) => !LINK_PREVIEWS.has(token))
      .map(([token, { operator, function: use }]) => ({
        // `MistralAI-User/1.0` is a token with a version.
        token: token.replace(/\/[\d.]+$/, ""),
        operator: operatorIn(operator),
        purpose: purposeOf(token, use),
      }));
  },
};

/** Listed because it may be used for AI too; its pages are previews of links that people share. */
const LINK_PREVIEWS: ReadonlySet<string> = new Set(["facebookexternalhit"]);

/** Returns the operator's name: `[Ai2](https://…)`, `Kagi that fetches …`, `the Chinese company Huawei`. */
function operatorIn(text: string): string {
  if (/^(Unclear|Unknown|Anyone)\b/.test(text)) return "";
  const linked = /^\[([^\]]+)\]/.exec(text)?.[1];
  if (linked !== undefined) return linked;
  if (/^https?:/.test(text)) return new URL(text).hostname.split(".").at(-2) ?? "";
  const name = text.replace(/^the \w+ company /i, "").split(/,| \(| that | to | for | Inc\b/)[0] ?? "";
  return /^Meta\/Facebook$/.test(name) ? "Meta" : name.trim();
}

function purposeOf(token: string, use: string): string {
  if (/^Undocumented/.test(use)) return "crawler";
  if (/\bAI Agents?$|coding agents?|takes action/i.test(use)) return "agent";
  if (/assistant|user-initiated|user prompts|to answer|answers to user|-User$/i.test(use) || /-User$/.test(token)) {
    return "assistant";
  }
  if (/search/i.test(use) || /search/i.test(token)) return "search";
  if (/train|LLM|dataset|machine learning|data scraper|language model/i.test(use)) return "training";
  return "crawler";
}
