import type { Article, Block } from "@/lib/publish/articles/article";
import type { Parameter } from "@/lib/publish/reference";

/** Articles as Markdown. */

export function articleMarkdown({ title, lead, parts }: Article): string {
  const sections = parts.flatMap((part) => [`## ${part.title}`, ...part.blocks.map((block) => blockMarkdown(block))]);
  return `${[`# ${title}`, `> ${lead}`, ...sections].map(linksToMarkdown).join("\n\n")}\n`;
}

/** Blocks that are shorter than this are repeated: pointing elsewhere would not save a reader anything. */
const SHORT = 150;

/** Returns several articles as one text, a section each. Where one repeats a block of another, it points to it. */
export function articlesMarkdown(articles: readonly Article[]): string {
  const places = new Map<string, string>();
  const sections = articles.flatMap(({ title, lead, parts }) => [
    `## ${title}`,
    lead,
    ...parts.flatMap((part) => {
      const blocks = part.blocks.map((block) => {
        const markdown = blockMarkdown(block, "####");
        const place = places.get(markdown);
        if (place !== undefined) return place;
        if (markdown.length > SHORT) places.set(markdown, `See “${part.title}” of “${title}”.`);
        return markdown;
      });
      return [`### ${part.title}`, ...blocks.filter((markdown, index) => markdown !== blocks[index - 1])];
    }),
  ]);
  return sections.join("\n\n");
}

function blockMarkdown(block: Block, heading = "###"): string {
  switch (block.kind) {
    case "text":
      return block.text;
    case "heading":
      return `${heading} ${block.text}`;
    case "terms":
      return bullets(block.rows);
    case "steps":
      return block.items.map((item, index) => `${index + 1}. ${item}`).join("\n");
    case "list":
      return block.items.map((item) => `- ${item}`).join("\n");
    case "code":
      return `\`\`\`${block.language}\n${block.text}\n\`\`\``;
    case "fields":
      return block.fields.length > 0 ? block.fields.map(parameterBullet).join("\n") : "No fields.";
    case "slot":
      return block.instead.map((one) => blockMarkdown(one, heading)).join("\n\n");
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
