import { DIMENSIONS } from "@/lib/analytics/query/dimensions";
import { type AnyOperation, type Endpoint, needsApproval } from "@/lib/contract/define";
import { reportFields } from "@/lib/contract/fields";
import { METRICS, SCOPES, TRAFFIC } from "@/lib/contract/vocabulary";
import { CLIENT_IP_REASONS } from "@/lib/ingest/site/client-ip";
import { APPROVAL_REASONS } from "@/lib/publish/answers";
import { type Rates, RISK_ROWS, ROLE_ROWS, rateLimits, SCOPE_ROWS } from "@/lib/publish/articles/agents";
import { APPROVAL_STEPS, CALLING, ERROR_ROWS, IDEMPOTENCY } from "@/lib/publish/articles/api";
import { endpointsOf, IDENTITY_RULES, OAUTH_RULES, oauthErrorsOf, TOKEN_LIMITS } from "@/lib/publish/articles/identity";
import { CONTEXT_ROWS, OUTCOME_ROWS, STATUS_ROWS, TYPE_ROWS } from "@/lib/publish/articles/measurement-protocol";
import { filterBlocks } from "@/lib/publish/articles/metrics";
import {
  CANONICAL,
  COMMERCE_FIELD_ROWS,
  COMMERCE_NAME_ROWS,
  EVENT_IDS,
  FILTER_ROWS,
  INGEST_LIMITS,
  ORDERS,
  SERVER_EVENTS,
  TRAFFIC_CLASS_ROWS,
} from "@/lib/publish/event-facts";
import { READING } from "@/lib/publish/filtering";
import { ID_ROWS } from "@/lib/publish/id-sources";
import { accessSection } from "@/lib/publish/llms/auth-text";
import { blockMarkdown, bullets, linksToMarkdown } from "@/lib/publish/llms/markdown";
import { bodyParameters, eventParameters, methodOf, type Parameter, parametersOf } from "@/lib/publish/reference";
import { type Named, type Schema, schemaOf } from "@/lib/publish/schemas";
import { SHAPE_NOTATION, shapeOf } from "@/lib/publish/shape";
import { type Components, nameSchema, pascal, shareSchemas } from "@/lib/publish/shared-schemas";

/** Parameters that every report has. They are described once. */
const REPORT_FIELDS: ReadonlySet<string> = new Set(Object.keys(reportFields));
const isReport = (op: AnyOperation): boolean => [...REPORT_FIELDS].every((name) => name in op.input.shape);

/**
 * `/llms-full.txt`: everything an agent needs in one text. Common parameters and shared shapes are described once.
 *
 * @param baseUrl the public address, without a slash at its end.
 */
export function llmsFull(
  baseUrl: string,
  { operations, rates }: { operations: readonly AnyOperation[]; rates: Rates },
) {
  const { named, single } = shapesOf(operations);
  const sections = [
    opening(baseUrl),
    accessSection(baseUrl),
    calling(baseUrl, rates),
    identity(named),
    events(),
    batches(),
    reports(),
    `## Where ids come from\n\n${bullets(ID_ROWS)}`,
    operationsSection(operations, named),
    shapesSection([...named].filter(([name]) => !single.has(name))),
    `## Errors\n\n${bullets(ERROR_ROWS)}`,
  ];
  return linksToMarkdown(`${sections.join("\n\n")}\n`);
}

/** The answers of operations and credential endpoints, with shared shapes by name. */
function shapesOf(operations: readonly AnyOperation[]): Components {
  const components: Components = { named: new Map(), single: new Set() };
  const { named, single } = components;
  for (const op of operations) {
    nameSchema(pascal(op.id), dataOf(op, schemaOf(op.output, "output", named)), components);
  }
  for (const { id, answers } of [...endpointsOf("Identity"), ...endpointsOf("OAuth")]) {
    for (const { output } of Object.values(answers)) {
      nameSchema(pascal(id), schemaOf(output, "output", named), components);
    }
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

const opening = (baseUrl: string) => `# Footfall

> Privacy-first web analytics: sites are measured without cookies, and agents manage sites and read reports over an HTTP API.

Base address: ${baseUrl}. [/llms.txt](/llms.txt) is the index of the same documentation, [/openapi.json](/openapi.json) its OpenAPI 3.1. Each operation has a page with examples at \`/docs/api/<operationId>.md\`. Shell commands for all of “Get access” are in [/docs/agents.md](/docs/agents.md); code for signatures, proxies and webhooks is in [/docs/measurement-protocol.md](/docs/measurement-protocol.md), [/docs/proxies.md](/docs/proxies.md) and [/docs/webhooks.md](/docs/webhooks.md).`;

const calling = (baseUrl: string, rates: Rates) => `## Call operations

${CALLING(baseUrl)}

Each call needs \`Authorization: Bearer <ACCESS_TOKEN>\`. Success is 200 with \`{"data", "operationId", "replayed", "request_id"}\`; an error is \`{"error": {"code", "message", "details"?}, "operationId"?, "request_id"}\`. Decide by \`error.code\`; \`error.message\` says what to do. \`X-Request-ID\` (1 to 128 of A-Z a-z 0-9 . _ -) is returned.

${IDEMPOTENCY}

Operations marked “approval” run after a human approved exactly this call:

${APPROVAL_STEPS.map((step, index) => `${index + 1}. ${step}`).join("\n")}

\`details.reason\` says why a call is refused:

${bullets(Object.entries(APPROVAL_REASONS))}

${rateLimits(rates)}

Scopes:

${bullets(SCOPE_ROWS)}

Roles on a site:

${bullets(ROLE_ROWS)}

Risks:

${bullets(RISK_ROWS)}`;

const identity = (named: Named) => `## Identity and OAuth

${bullets(TOKEN_LIMITS)}

${IDENTITY_RULES}

${endpointsOf("Identity")
  .map((one) => endpoint(one, named))
  .join("\n\n")}

${OAUTH_RULES} All of them take \`client_id\` and \`client_secret\`, and may answer ${COMMON_OAUTH_ERRORS.join(", ")}.

${endpointsOf("OAuth")
  .map((one) => endpoint(one, named))
  .join("\n\n")}`;

const CREDENTIAL_FIELDS: readonly string[] = ["client_id", "client_secret"];
const COMMON_OAUTH_ERRORS = endpointsOf("OAuth")
  .map(oauthErrorsOf)
  .reduce((common, errors) => common.filter((error) => errors.includes(error)));

function endpoint(one: Endpoint, named: Named): string {
  const isOauth = one.oauthErrors !== undefined;
  const fields = bodyParameters(one).filter(({ name }) => !(isOauth && CREDENTIAL_FIELDS.includes(name)));
  const errors = oauthErrorsOf(one).filter((error) => !COMMON_OAUTH_ERRORS.includes(error));
  return [
    `### ${one.method} ${one.path}`,
    `${one.title}.`,
    ...fields.map(compactBullet),
    ...Object.keys(one.answers).map((status) => `=> ${status} ${endpointShape(one, named)}`),
    ...(errors.length > 0 ? [`Also: ${errors.join(", ")}`] : []),
  ].join("\n");
}

function endpointShape({ id }: Endpoint, named: Named): string {
  const schema = named.get(pascal(id));
  return schema ? shapeOf(schema) : "";
}

const events = () => `## Send one event: POST /api/event

No token. ${INGEST_LIMITS.event} Always send \`domain\` and \`name\`; for a pageview also \`url\` or \`path\`; for \`engagement\`, \`vitals\` or \`exposure\` the field of that name; for \`identify\` also \`user_id\`. Unknown fields are ignored. An \`Origin\` header must belong to the site. The answer is 202 \`{status: stored|duplicate|filtered, event_id, class?, reason?, warnings?: [{path, message}], request_id}\` after the commit. Give each event your own \`event_id\`; after 429, 500 and 503 send it again with the same id. ${EVENT_IDS} ${CANONICAL}

${eventParameters().map(compactBullet).join("\n")}

${SERVER_EVENTS} The classes and their reasons:

${bullets(TRAFFIC_CLASS_ROWS)}

Events are \`filtered\`, and not stored, for these reasons:

${bullets(FILTER_ROWS)}

${ORDERS} Fields of commerce events, in \`props\` here and in \`properties\` of a batch (here the amount can be in \`revenue\`):

${bullets(COMMERCE_FIELD_ROWS)}

Names of commerce events:

${bullets(COMMERCE_NAME_ROWS)}

In pages, \`<script defer src="<base>/script.js" data-domain="example.com"></script>\` sends pageviews; \`footfall("Signup", { props })\` sends custom events, \`footfall("identify", { user_id })\` names the user.`;

const batches = () => `## Send batches: POST /api/v1/events

The Measurement Protocol. The bearer is an ingest key from \`sites.keys.create\`; a management token is refused. ${INGEST_LIMITS.batch} The body is \`{"events": [{type, …}]}\`; apart from \`type\` an event may have \`event_id\`, \`name\`, \`user_id\`, \`revenue\` (\`{amount, currency}\`), \`properties\` (up to 50 and 8 KiB of JSON, five levels deep) and \`context\`. Unknown fields make an event invalid. Types:

${bullets(TYPE_ROWS)}

\`context\`:

${bullets(CONTEXT_ROWS)}

The answer is \`{results: [{index, event_id, status, class?, code?, message?, pointer?, warnings?}], counts, client_ip?: {accepted, reason?}, request_id}\` after the commit. \`status\`:

${bullets([...OUTCOME_ROWS, ...STATUS_ROWS])}

Visitors are recognised by \`user_id\`, otherwise by \`context.session_id\` for a day, otherwise by their signed address: \`X-Footfall-Client-IP\`, \`X-Footfall-Client-IP-Timestamp\` (Unix seconds or RFC 3339, at most five minutes old and one minute ahead) and \`X-Footfall-Client-IP-Signature\`, the lowercase hex HMAC-SHA256 with the ingest key over timestamp, newline, address, newline, lowercase hex SHA-256 of the body. The address of your server is never used. An event with none of the three belongs to no visit, and counts as event, pageview and order. \`client_ip.reason\`: ${Object.keys(CLIENT_IP_REASONS).join(", ")}.`;

const reports = () => `## Read reports

Days are local days of the site's timezone. Rates are fractions from 0 to 1, durations are seconds, null means unknown. Metrics:

${bullets(Object.entries(METRICS).map(([key, { about }]) => [key, about]))}

${bullets(Object.entries(READING).filter(([key]) => !NOT_FOR_AGENTS.includes(key)))}

\`traffic\`: ${Object.entries(TRAFFIC)
  .map(([key, about]) => `\`${key}\` ${about}`)
  .join(", ")}.

Dimensions of visits: ${dimensionsOf("visit")}. Dimensions of events: ${dimensionsOf("event")}.

${filterBlocks(1)
  .map((block) => blockMarkdown(block))
  .join("\n\n")}`;

/** Parameters describe comparisons, and agents do not read public dashboards. */
const NOT_FOR_AGENTS: readonly string[] = ["comparison", "public"];

const dimensionsOf = (level: "visit" | "event") =>
  Object.entries(DIMENSIONS)
    .filter(([, one]) => one.level === level)
    .map(([key]) => key)
    .join(", ");

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
