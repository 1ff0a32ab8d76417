import { expect, test } from "vitest";
import { DIMENSIONS } from "@/lib/analytics/query/dimensions";
import { RISKS, ROLES, SCOPES } from "@/lib/contract/access";
import { COMMERCE_EVENTS } from "@/lib/contract/commerce";
import { type AnyOperation, needsApproval } from "@/lib/contract/define";
import { METRICS, TRAFFIC_CLASSES } from "@/lib/contract/vocabulary";
import { FILTER_REASONS } from "@/lib/ingest/event/decided-event";
import { REASONS } from "@/lib/ingest/event/verdict";
import { CLIENT_IP_REASONS } from "@/lib/ingest/site/forwarded-address";
import { OPERATIONS } from "@/lib/operations/index";
import { ERRORS } from "@/lib/platform/errors";
import { RATES } from "@/lib/platform/limits";
import { APPROVAL_REASONS } from "@/lib/publish/answers";
import { allArticles } from "@/lib/publish/articles/all";
import { ENDPOINTS } from "@/lib/publish/endpoints";
import { agentTexts } from "@/lib/publish/llms/pages";
import { curlOf, eventParameters, parametersOf } from "@/lib/publish/reference";

const BASE = "https://stats.footfall.dev";
const texts = agentTexts(BASE, RATES);
const textOf = (path: string): string => texts.get(path) ?? "";
const index = textOf("/llms.txt");
const full = textOf("/llms-full.txt");
const operations = [...OPERATIONS.values()];

const KB = 1024;
const OTHER_FILES = ["/openapi.json", "/llms.txt", "/llms-full.txt"];

test("llms.txt is an index as llmstxt.org describes it: a title, a summary, and sections of links", () => {
  const [title, , summary, , about, ...rest] = index.split("\n");
  expect(title).toBe("# Footfall");
  expect(summary).toMatch(/^> /);
  expect(about).toContain(BASE);
  for (const line of rest.filter((one) => one !== "")) expect(line).toMatch(/^(## \w|- \[[^\]]+\]\(\/[^)]+\): )/);
  expect(index.match(/^# /gm)).toHaveLength(1);
});

// An agent that reads the full text spends about 38,000 tokens on it, a fifth of a context window of 200,000.
test("llms.txt has at most 14 KB and llms-full.txt at most 176 KB", () => {
  expect(Buffer.byteLength(index)).toBeLessThanOrEqual(14 * KB);
  expect(Buffer.byteLength(full)).toBeLessThanOrEqual(176 * KB);
});

test.each([...texts])("each link of %s leads to a text or file of this service", (_, text) => {
  const links = [...text.matchAll(/\]\((\/[^)#\s]*)(?:#[^)]*)?\)/g)].map(([, link]) => `${link}`);
  expect(links.filter((link) => !texts.has(link) && !OTHER_FILES.includes(link))).toEqual([]);
});

test("llms.txt links to every page, and every operation has one", () => {
  const pages = [...texts.keys()].filter((path) => path.endsWith(".md"));
  expect(pages.filter((path) => !index.includes(`](${path})`))).toEqual([]);
  expect(operations.filter(({ id }) => !pages.includes(`/docs/api/${id}.md`))).toEqual([]);
});

test("no text has gaps, and the same registry gives the same texts", () => {
  for (const [path, text] of texts) expect(text, path).not.toMatch(/undefined|\[object|\n{3}|: \./);
  expect(agentTexts(BASE, RATES)).toEqual(texts);
  expect(full).toContain(`${RATES.read.limit} read calls in ${RATES.read.seconds} seconds`);
});

test.each(operations)("the page of $id has its access, parameters, call, answer and errors", (op) => {
  const page = textOf(`/docs/api/${op.id}.md`);
  expect(page).toContain(`> ${op.title}. ${op.about}`);
  expect(page).toContain(`\`${RISKS[op.risk].method} /api/v1/management/actions/${op.id}\``);
  for (const word of [op.scope, op.role, op.risk]) expect(page).toContain(word);
  expect(page).toContain(needsApproval(op) ? "human's approval" : "not needed");
  expect(page).toContain(curlOf(op, BASE));
  expect(page).toContain(`"operationId": "${op.id}"`);
  for (const name of Object.keys(op.input.shape)) expect(page).toContain(`- \`${name}\` (`);
});

const articles = allArticles(BASE, RATES).filter((article) => article.forAgents);

test.each(articles)(
  "the full text has every line of the article $title, which the index does not call optional",
  (article) => {
    const lines = textOf(`/docs/${article.slug}.md`).split("\n");
    const title = `# ${article.title}`;
    expect(full).toContain(`\n#${title}\n`);
    expect(lines.filter((line) => line !== title && !full.includes(line.replace(/^> /, "")))).toEqual([]);
    expect(index.split("## Optional")[0]).toContain(`](/docs/${article.slug}.md)`);
  },
);

test("the full text says nothing long twice", () => {
  const blocks = full.split(/\n\n+/).filter((block) => block.length > 300);
  expect(blocks.filter((block, place) => blocks.indexOf(block) !== place)).toEqual([]);
});

/** The part of the full text about operations, and within it about one. */
const operationsText = full.slice(full.indexOf("\n## Operations\n"));
const entryOf = (op: AnyOperation) => operationsText.split(`#### ${op.id}\n`)[1]?.split("\n#### ")[0] ?? "";

test.each(operations)("the full text describes $id with every parameter", (op) => {
  const entry = entryOf(op);
  expect(entry).toContain(op.about);
  expect(entry).toContain("=> ");
  const common = operationsText.slice(0, operationsText.indexOf("\n#### "));
  for (const { name } of parametersOf(op)) {
    const own = new RegExp(`^- (.*\\b)?${name}\\b`, "m").test(entry);
    expect(own || common.includes(`- ${name}`) || (name === "site_id" && common.includes("`site_id`")), name).toBe(
      true,
    );
  }
  const heading = operationsText
    .slice(0, operationsText.indexOf(`#### ${op.id}\n`))
    .match(/^### .*$/gm)
    ?.at(-1);
  const { method } = RISKS[op.risk];
  expect(heading).toContain(`${method}, ${op.scope}, ${op.role}, ${op.risk}${needsApproval(op) ? ", approval" : ""}`);
});

test("nothing of the vocabulary is missing from the full text", () => {
  const tables = [
    SCOPES,
    ROLES,
    RISKS,
    METRICS,
    DIMENSIONS,
    TRAFFIC_CLASSES,
    REASONS,
    FILTER_REASONS,
    APPROVAL_REASONS,
  ];
  const words = [...tables, ERRORS, CLIENT_IP_REASONS, COMMERCE_EVENTS].flatMap((table) => Object.keys(table));
  const fields = eventParameters().map(({ name }) => name);
  const paths = ENDPOINTS.filter(({ tag }) => tag !== "Service").map(({ method, path }) => `${method} ${path}`);
  expect([...words, ...fields, ...paths].filter((word) => !full.includes(word))).toEqual([]);
});

test("every shape that the full text names is described in it", () => {
  const shapes = full.slice(full.indexOf("\n## Shapes\n"));
  const described = new Set([...shapes.matchAll(/^- ([\w, ]+): /gm)].flatMap(([, names]) => `${names}`.split(", ")));
  const entries = [...full.matchAll(/^=> .*$/gm), ...shapes.matchAll(/^- .*$/gm)].map(([line]) => line);
  const named = entries.flatMap((line) => [...line.matchAll(/(?:[:[|]|=>) ?([A-Z]\w+)/g)].map(([, name]) => `${name}`));
  const listed = ["Role", "Scope", "Traffic", "TrafficClass", "Money"];
  expect(named.filter((name) => !described.has(name) && !listed.includes(name))).toEqual([]);
  expect(named.length).toBeGreaterThan(50);
});

test("the texts state how a machine account without a human gets an ingest key", () => {
  for (const path of ["/llms-full.txt", "/docs/agents.md", "/docs/measurement-protocol.md"]) {
    expect(textOf(path)).toMatch(/interactive_required[^\n]*interactive_url[^\n]*proves the same domain/);
  }
});
