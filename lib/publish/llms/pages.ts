import { OPERATIONS } from "@/lib/operations/index";
import type { Rates } from "@/lib/publish/articles/agents";
import { allArticles } from "@/lib/publish/articles/all";
import { authText } from "@/lib/publish/llms/auth-text";
import { llmsFull } from "@/lib/publish/llms/full-text";
import { llmsIndex, operationPage } from "@/lib/publish/llms/index-text";
import { articleMarkdown } from "@/lib/publish/llms/markdown";
import { operationMarkdown } from "@/lib/publish/llms/operation-page";

/**
 * Returns every text for agents by its path: the index, the full text, how to get credentials, and a Markdown page for each article and operation.
 *
 * @param baseUrl the public address, without a slash at its end.
 */
export function agentTexts(baseUrl: string, rates: Rates): ReadonlyMap<string, string> {
  const operations = [...OPERATIONS.values()];
  const articles = allArticles(baseUrl, rates);
  return new Map([
    ["/llms.txt", llmsIndex(baseUrl, { articles, operations })],
    ["/llms-full.txt", llmsFull(baseUrl, { articles, operations })],
    ["/auth.md", authText(baseUrl)],
    ...articles.map((article): [string, string] => [`/docs/${article.slug}.md`, articleMarkdown(article)]),
    ...operations.map((op): [string, string] => [`${operationPage(op.id)}.md`, operationMarkdown(op, baseUrl)]),
  ]);
}
