import type { Parameter } from "@/lib/publish/reference";

/** Articles of the docs as data. Pages show them as HTML, agents read them as Markdown. */

/** In all texts, code is in backticks, and links are written `[label](/docs/metrics)`. */
export type Block =
  | { kind: "text"; text: string }
  | { kind: "heading"; text: string }
  | { kind: "terms"; rows: readonly (readonly [term: string, about: string])[] }
  | { kind: "steps" | "list"; items: readonly string[] }
  | { kind: "code"; text: string; language: string; what: string; copy: boolean }
  | { kind: "fields"; fields: Parameter[]; name: string }
  /** HTML pages show a component of their own here, agents read `instead`. */
  | { kind: "slot"; name: string; instead: readonly Block[] };

export interface Part {
  id: string;
  title: string;
  blocks: readonly Block[];
}

export interface Article {
  /** The last segment of its address: `/docs/<slug>`, and `/docs/<slug>.md` as Markdown. */
  slug: string;
  title: string;
  lead: string;
  /** What an agent finds in it, for the index. */
  index: string;
  /** Whether most agents need it: `llms-full.txt` has it, and the index does not list it as optional. */
  forAgents?: true;
  parts: readonly Part[];
}

export const text = (content: string): Block => ({ kind: "text", text: content });
export const heading = (content: string): Block => ({ kind: "heading", text: content });
export const terms = (rows: readonly (readonly [string, string])[]): Block => ({ kind: "terms", rows });
export const steps = (...items: string[]): Block => ({ kind: "steps", items });
export const list = (...items: string[]): Block => ({ kind: "list", items });
export const fields = (name: string, list: Parameter[]): Block => ({ kind: "fields", fields: list, name });
/** @param what completes "Copy …" for screen readers. */
export const code = (what: string, content: string, language = "sh"): Block => ({
  kind: "code",
  text: content,
  language,
  what,
  copy: true,
});
/** Code that is there to be read, such as an answer: without a copy button. */
export const shown = (what: string, content: string, language = "json"): Block => ({
  kind: "code",
  text: content,
  language,
  what,
  copy: false,
});
export const slot = (name: string, ...instead: Block[]): Block => ({ kind: "slot", name, instead });
export const part = (id: string, title: string, ...blocks: Block[]): Part => ({ id, title, blocks });
