import type { ReactNode } from "react";
import { CodeBlock } from "@/components/docs/code";
import { Glossary, Parameters } from "@/components/docs/parameters";
import { DocsPage, InlineText, Part } from "@/components/docs/prose";
import type { Article, Block } from "@/lib/publish/articles/article";

interface Props {
  article: Article;
  /** Components for the blocks that pages show in their own way, by name. */
  slots: Readonly<Record<string, ReactNode>>;
}

/** An article of the docs. Agents read the same article as Markdown. */
export function DocsArticle({ article, slots }: Props) {
  const { title, lead, parts } = article;
  return (
    <DocsPage title={title} lead={<InlineText>{lead}</InlineText>}>
      {parts.map(({ id, title: heading, blocks }) => (
        <Part key={id} id={id} title={heading}>
          {blocks.map((block) => (
            <ArticleBlock key={keyOf(block)} block={block} slots={slots} />
          ))}
        </Part>
      ))}
    </DocsPage>
  );
}

const keyOf = (block: Block): string => JSON.stringify(block).slice(0, 200);

function ArticleBlock({ block, slots }: { block: Block; slots: Readonly<Record<string, ReactNode>> }) {
  switch (block.kind) {
    case "text":
      return (
        <p>
          <InlineText>{block.text}</InlineText>
        </p>
      );
    case "heading":
      return <h3 className="pt-2 font-semibold [overflow-wrap:anywhere]">{block.text}</h3>;
    case "terms":
      return <Glossary rows={block.rows} />;
    case "steps":
      return (
        <ol className="list-decimal space-y-1 pl-5">
          {block.items.map((item) => (
            <li key={item}>
              <InlineText>{item}</InlineText>
            </li>
          ))}
        </ol>
      );
    case "list":
      return (
        <ul className="list-disc space-y-1 pl-5">
          {block.items.map((item) => (
            <li key={item} className="first-letter:uppercase">
              <InlineText>{item}</InlineText>
            </li>
          ))}
        </ul>
      );
    case "code":
      return <CodeBlock text={block.text} what={block.what} copy={block.copy} />;
    case "fields":
      return <Parameters parameters={block.fields} name={block.name} />;
    case "slot":
      return slots[block.name];
  }
}
