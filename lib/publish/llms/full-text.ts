import { DIMENSIONS } from "@/lib/analytics/query/dimensions";
import { SCOPES } from "@/lib/contract/access";
import { type AnyOperation, needsApproval } from "@/lib/contract/define";
import { reportFields } from "@/lib/contract/fields";
import { METRICS } from "@/lib/contract/vocabulary";
import type { Article } from "@/lib/publish/articles/article";
import { articlesMarkdown, linksToMarkdown } from "@/lib/publish/llms/markdown";
import { methodOf, type Parameter, parametersOf } from "@/lib/publish/reference";
import { type Named, type Schema, schemaOf } from "@/lib/publish/schemas";
import { SHAPE_NOTATION, shapeOf } from "@/lib/publish/shape";
import { type Components, nameSchema, pascal, shareSchemas } from "@/lib/publish/shared-schemas";

/** Parameters that every report has. They are described once. */
const REPORT_FIELDS: ReadonlySet<string> = new Set(Object.keys(reportFields));
const isReport = (op: AnyOperation): boolean => [...REPORT_FIELDS].every((name) => name in op.input.shape);

/**
 * `/llms-full.txt`: the articles that most agents need, and all operations. Common parameters and shared shapes are
 * described once.
 *
 * @param baseUrl the public address, without a slash at its end.
 */
export function llmsFull(
  baseUrl: string,
  { articles, operations }: { articles: readonly Article[]; operations: readonly AnyOperation[] },
) {
  const { named, single } = shapesOf(operations);
  const sections = [
    opening(baseUrl),
    articlesMarkdown(articles.filter((one) => one.forAgents)),
    operationsSection(operations, named),
    shapesSection([...named].filter(([name]) => !single.has(name))),
  ];
  return linksToMarkdown(`${sections.join("\n\n")}\n`);
}

const opening = (baseUrl: string) => `# Footfall

> Privacy-first web analytics: sites are measured without cookies, and agents manage sites and read reports over an HTTP API.

Base address: ${baseUrl}. [/llms.txt](/llms.txt) is the index of the whole documentation, [/openapi.json](/openapi.json) its OpenAPI 3.1. Each operation has a page with examples at \`/docs/api/<operationId>.md\`.`;

/** The answers of operations, with shared shapes by name. */
function shapesOf(operations: readonly AnyOperation[]): Components {
  const components: Components = { named: new Map(), single: new Set() };
  const { named, single } = components;
  for (const op of operations) {
    nameSchema(pascal(op.id), dataOf(op, schemaOf(op.output, "output", named)), components);
  }
  shareSchemas(named, single);
  return components;
}

/** Shapes with the same fields share a line. What the vocabulary lists is not repeated. */
function shapesSection(shapes: readonly (readonly [name: string, schema: Schema])[]): string {
  const lines = new Map<string, string[]>();
  const listed = ["Money", "Role", "Scope", "Traffic", "TrafficClass"];
  for (const [name, schema] of shapes) {
    if (!listed.includes(name)) lines.set(shapeOf(schema), [...(lines.get(shapeOf(schema)) ?? []), name]);
  }
  return `## Shapes\n\n${[...lines].map(([shape, names]) => `- ${names.join(", ")}: ${shape}`).join("\n")}`;
}

function operationsSection(operations: readonly AnyOperation[], named: Named): string {
  const common = commonParameters(operations);
  const withoutSite = operations.filter((op) => !("site_id" in op.input.shape)).map(({ id }) => id);
  return `## Operations

The headings have method, scope, role and risk. An entry has the parameters (\`!\` marks required ones; text without a type) and, after \`=>\`, \`data\` of the answer. ${SHAPE_NOTATION}

All operations except ${withoutSite.join(", ")} need \`site_id\`. Optional parameters may be null. A parameter without a description is one of these; reports take all that are marked “report”, and also answer \`meta: Meta\` and, if they compare, the same fields in \`comparison\`, or in \`previous\` and \`change\`:

${[...common.values()].map(({ parameter, ofReports }) => `${compactBullet(parameter)}${ofReports ? " (report)" : ""}`).join("\n")}

${[...groupByAccess(operations)]
  .map(([access, ops]) => `### ${access}\n\n${ops.map((op) => operation(op, common, named)).join("\n\n")}`)
  .join("\n\n")}`;
}

/** Groups operations by method, scope, role and risk. */
function groupByAccess(operations: readonly AnyOperation[]): ReadonlyMap<string, AnyOperation[]> {
  const groups = new Map<string, AnyOperation[]>();
  for (const op of operations) {
    const heading = `${isReport(op) ? "Reports: " : ""}${accessOf(op)}`;
    groups.set(heading, [...(groups.get(heading) ?? []), op]);
  }
  return groups;
}

interface CommonParameter {
  parameter: Parameter;
  ofReports: boolean;
}

const keyOf = ({ name, type, required, about }: Parameter) =>
  `${name}|${type.replace(/ or null$/, "")}|${required}|${about}`;

/**
 * Parameters that several operations describe alike, by `keyOf`: those of reports, and others of which no second kind
 * has the same name.
 */
function commonParameters(operations: readonly AnyOperation[]): ReadonlyMap<string, CommonParameter> {
  const all = operations.flatMap((op) =>
    parametersOf(op).map((parameter) => ({ parameter, ofReports: isReport(op) && REPORT_FIELDS.has(parameter.name) })),
  );
  const keys = new Map<string, Set<string>>();
  const uses = new Map<string, number>();
  const common = new Map<string, CommonParameter>();
  for (const { parameter, ofReports } of all) {
    const key = keyOf(parameter);
    keys.set(parameter.name, (keys.get(parameter.name) ?? new Set()).add(key));
    uses.set(key, (uses.get(key) ?? 0) + 1);
    if (ofReports || !common.has(key)) common.set(key, { parameter, ofReports });
  }
  const isCommon = (key: string, { parameter, ofReports }: CommonParameter) =>
    ofReports || ((uses.get(key) ?? 0) > 1 && keys.get(parameter.name)?.size === 1);
  return new Map([...common].filter(([key, one]) => one.parameter.name !== "site_id" && isCommon(key, one)));
}

function operation(op: AnyOperation, common: ReadonlyMap<string, CommonParameter>, named: Named): string {
  const all = parametersOf(op).filter(({ name }) => name !== "site_id" && !(isReport(op) && REPORT_FIELDS.has(name)));
  const described = all.filter((one) => !common.has(keyOf(one)));
  const shared = all
    .filter((one) => common.has(keyOf(one)))
    .map(({ name, required }) => (required ? `${name}!` : name));
  const own = named.get(pascal(op.id));
  const shape = shapeOf(own ?? schemaOf(op.output, "output", new Map()));
  return [
    `#### ${op.id}`,
    op.about,
    ...(shared.length > 0 ? [`- ${shared.join(", ")}`] : []),
    ...described.map(compactBullet),
    `=> ${shape}`,
  ].join("\n");
}

/** What all reports have is described once. */
function dataOf(op: AnyOperation, schema: Schema): Schema {
  if (!isReport(op)) return schema;
  const own = Object.entries(schema.properties ?? {}).filter(([name]) => !REPORT_DATA.includes(name));
  return { ...schema, properties: Object.fromEntries(own) };
}

const REPORT_DATA: readonly string[] = ["meta", "previous", "change", "comparison"];

const accessOf = (op: AnyOperation) =>
  `${methodOf(op)}, ${op.scope}, ${op.role}, ${op.risk}${needsApproval(op) ? ", approval" : ""}`;

/** A parameter with a short type, omitted for text. Lists of metrics and dimensions are not repeated. */
function compactBullet({ name, type, required, about }: Parameter): string {
  const short = compactType(type);
  const described = about.replace(METRIC_LIST, "the metrics above").replace(DIMENSION_LIST, "the dimensions above");
  return `- ${name}${required ? "!" : ""}${short === "text" ? "" : ` (${short})`}${about ? `: ${described}` : ""}`;
}

const METRIC_LIST = Object.keys(METRICS).join(", ");
const DIMENSION_LIST = Object.keys(DIMENSIONS).join(", ");

const compactType = (type: string): string =>
  type
    .replace(/ or null$/, "")
    .replace(SCOPE_LIST, "scopes")
    .replace(/one of ([\w:, -]+)/g, (_, values: string) => values.replaceAll(", ", "|"))
    .replaceAll(/text, at most \d+ characters/g, "text")
    .replaceAll(/integer, (\d+) to (\d+)/g, (_, low, high) => (high === LARGEST_ID ? "int" : `int ${low}-${high}`))
    .replaceAll(/integer, (\d+) or more/g, "int")
    .replaceAll("integer", "int")
    .replaceAll("number", "num")
    .replaceAll("true or false", "bool")
    .replaceAll("date (YYYY-MM-DD)", "date")
    .replaceAll("UUID", "uuid");

const SCOPE_LIST = `list, each one of ${Object.keys(SCOPES).join(", ")}`;
const LARGEST_ID = `${2 ** 31 - 1}`;
