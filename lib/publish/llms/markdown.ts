import type { Article, Block } from "@/lib/publish/articles/article";
import type { Parameter } from "@/lib/publish/reference";

/** Articles as Markdown. */

export function articleMarkdown({ title, lead, parts }: Article): string {
  const sections = parts.flatMap((part) => [`## ${part.title}`, ...part.blocks.map((block) => blockMarkdown(block))]);
  return `${[`# ${title}`, `> ${lead}`, ...sections].map(linksToMarkdown).join("\n\n")}\n`;
}

export function blockMarkdown(block: Block): string {
  switch (block.kind) {
    case "text":
      return block.text;
    case "heading":
      return `### ${block.text}`;
    case "terms":
      return bullets(block.rows);
    case "steps":
      return block.items.map((item, index) => `${index + 1}. ${item}`).join("\n");
    case "code":
      return `\`\`\`${block.language}\n${block.text}\n\`\`\``;
    case "fields":
      return block.fields.length > 0 ? block.fields.map(parameterBullet).join("\n") : "No fields.";
    case "slot":
      return block.instead.map((one) => blockMarkdown(one)).join("\n\n");
  }
}

export const bullets = (rows: readonly (readonly [term: string, about: string])[]): string =>
  rows.map(([term, about]) => `- ${termMarkdown(term)}: ${about}`).join("\n");

/** Terms that already contain code stay as they are. */
const termMarkdown = (term: string) => (term.includes("`") ? term : `\`${term}\``);

export const parameterBullet = ({ name, type, required, about }: Parameter): string =>
  `- \`${name}\` (${type}${required ? ", required" : ""})${about ? `: ${about}` : ""}`;

/** Links between pages of the docs lead to their Markdown. */
export const linksToMarkdown = (markdown: string): string =>
  markdown.replace(/\]\((\/docs\/[\w/-]+)(#[\w-]+)?\)/g, (_, path, anchor = "") => `](${path}.md${anchor})`);
