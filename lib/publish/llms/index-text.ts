import { type AnyOperation, needsApproval } from "@/lib/contract/define";
import type { Article } from "@/lib/publish/articles/article";
import { GROUPS, groupOf } from "@/lib/publish/groups";
import { methodOf } from "@/lib/publish/reference";

/** The address of an operation's page, without its extension. */
export const operationPage = (id: string): string => `/docs/api/${id}`;

/**
 * `/llms.txt`: the index of the documentation, as llmstxt.org describes it. Links are relative, so that its size does not
 * depend on the address of the service.
 */
export function llmsIndex(
  baseUrl: string,
  { articles, operations }: { articles: readonly Article[]; operations: readonly AnyOperation[] },
): string {
  const [essential, more] = [articles.filter((one) => one.forAgents), articles.filter((one) => !one.forAgents)];
  const groups = [...new Set(operations.map(groupOf))].map((group) => {
    const links = operations.filter((op) => groupOf(op) === group).map(operationLink);
    return `## ${GROUPS[group]?.title ?? group}\n\n${links.join("\n")}`;
  });
  const sections = [
    "# Footfall",
    "> Privacy-first web analytics: sites are measured without cookies, and agents manage sites and read reports over an HTTP API.",
    `Base address: ${baseUrl}. Links are relative to it. To call an operation: \`GET\` or \`POST /api/v1/management/actions/<operationId>\` with a bearer token; its page has parameters and an example. Start with Agents to get a token. To send events you need no token.`,
    `## Guides\n\n${[...essential.map(articleLink), "- [Credentials](/auth.md): the ways to a token, in short"].join("\n")}`,
    ...groups,
    `## Optional\n\n${[
      ...more.map(articleLink),
      "- [Everything](/llms-full.txt): what most agents need in one text",
      "- [OpenAPI](/openapi.json): OpenAPI 3.1 with schemas and examples",
    ].join("\n")}`,
  ];
  return `${sections.join("\n\n")}\n`;
}

const articleLink = ({ slug, title, index }: Article) => `- [${title}](/docs/${slug}.md): ${index}`;
const operationLink = (op: AnyOperation) =>
  `- [${op.title}](${operationPage(op.id)}.md): ${methodOf(op)}${needsApproval(op) ? ", needs approval" : ""}`;
