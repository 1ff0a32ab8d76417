import type { ToolAnnotations } from "@modelcontextprotocol/server";
import { RISKS } from "@/lib/contract/access";
import type { AnyOperation } from "@/lib/contract/define";
import { DEFAULT_ROWS, MAX_ROWS } from "@/lib/mcp/shorten";
import { inputSchemaOf, withParameters } from "@/lib/mcp/tool-schema";
import { OPERATIONS } from "@/lib/operations/index";
import { Fault, invalidInput } from "@/lib/platform/errors";
import type { Schema } from "@/lib/publish/schemas";

/** The tools of the MCP endpoint: names, texts, schemas and annotations derive from the registry. */

/** Operations that have a tool of their own, because assistants need them all the time. */
const DIRECT = [
  "sites.list",
  "analytics.overview",
  "analytics.chart",
  "analytics.explore",
  "analytics.changes",
  "analytics.filter_options",
  "analytics.events",
  "analytics.realtime",
  "analytics.funnels",
  "analytics.journeys",
  "analytics.retention",
  "analytics.campaigns",
  "sites.create",
  "sites.installation",
  "sites.settings.get",
] as const;

/** What a call of a tool asks for: one operation and its input. */
export interface Asked {
  op: AnyOperation;
  input: Record<string, unknown>;
  key: string | null;
  approvalId: string | null;
  /** The most items of each list of the answer. */
  rows: number;
  /** How to get the input right; null when the schema of the tool says it all. */
  hint: string | null;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  schema: Schema;
  annotations: ToolAnnotations;
  /** Whether its calls count as writes. */
  writes: boolean;
  /**
   * Reads the arguments of a call.
   *
   * @throws Refusal `invalid_input` for arguments of the tool itself; those of the operation are checked by `execute`.
   */
  read(args: Record<string, unknown>): Asked;
}

const KEY: Schema = {
  type: "string",
  minLength: 8,
  maxLength: 200,
  description: "New for each change, the same for its retries: calls with the same key have one effect",
};
const ROWS: Schema = {
  type: "integer",
  minimum: 1,
  maximum: MAX_ROWS,
  description: `Most items of each list of the answer; default ${DEFAULT_ROWS}`,
};
const APPROVAL: Schema = {
  type: "string",
  maxLength: 64,
  description: "The approval_id of an earlier answer to this same call, once a person has decided",
};

const operation = (id: string): AnyOperation => {
  const op = OPERATIONS.get(id);
  if (!op) throw new Fault(`There is no operation ${id}`);
  return op;
};

const methodOf = (op: AnyOperation) => RISKS[op.risk].method;

function annotationsOf(title: string, risks: readonly AnyOperation["risk"][]): ToolAnnotations {
  const readOnlyHint = risks.every((risk) => RISKS[risk].method === "GET");
  return {
    title,
    readOnlyHint,
    ...(!readOnlyHint && { destructiveHint: risks.some((risk) => RISKS[risk].needsApproval) }),
    openWorldHint: false,
  };
}

function directTool(op: AnyOperation): Tool {
  const writes = methodOf(op) === "POST";
  const pages = isPaged(op);
  const own: Record<string, Schema> = writes ? { idempotency_key: KEY } : pages ? {} : { max_rows: ROWS };
  return {
    name: op.id.replaceAll(".", "_"),
    title: op.title,
    description: op.about,
    schema: withParameters(inputSchemaOf(op), own),
    annotations: annotationsOf(op.title, [op.risk]),
    writes,
    read(args) {
      const { idempotency_key, max_rows, ...input } = args;
      const unknown = { ...(writes ? { max_rows } : { idempotency_key }), ...(pages && { max_rows }) };
      return {
        op,
        input: withLimit(op, { ...defined(unknown), ...input }),
        key: textIn(idempotency_key, "idempotency_key"),
        approvalId: null,
        rows: pages ? MAX_ROWS : rowsIn(max_rows),
        hint: null,
      };
    },
  };
}

/** Whether the operation itself limits the rows of its answer. */
const isPaged = ({ input }: AnyOperation): boolean => "limit" in input.shape || "per_page" in input.shape;

/** Adds the default limit to the input of an operation with pages, so that the next one continues where its rows end. */
const withLimit = (op: AnyOperation, input: Record<string, unknown>): Record<string, unknown> =>
  "limit" in op.input.shape && continues(op) && input.limit == null ? { ...input, limit: DEFAULT_ROWS } : input;

const continues = ({ input: { shape } }: AnyOperation): boolean => "cursor" in shape || "page" in shape;

/** Without what is undefined: fields that a tool does not have are for the operation to refuse. */
const defined = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** A tool that runs any operation of one kind by its id. */
function genericTool(tool: {
  name: string;
  title: string;
  about: string;
  includes(op: AnyOperation): boolean;
  parameters: Record<string, Schema>;
}): Tool {
  const ops = [...OPERATIONS.values()].filter(tool.includes);
  const ids = ops.map(({ id }) => id);
  const risks = [...new Set(ops.map(({ risk }) => risk))];
  return {
    name: tool.name,
    title: tool.title,
    description: `${tool.about} Get the input of an operation from operations_find first. Operations: ${ids.join(", ")}.`,
    schema: {
      type: "object",
      properties: {
        operation: { type: "string", description: "Id of the operation, such as sites.goals.list" },
        input: { type: "object", description: "Input of the operation, as operations_find describes it" },
        ...tool.parameters,
      },
      required: ["operation", "input"],
      additionalProperties: false,
    },
    annotations: annotationsOf(tool.title, risks),
    writes: ops.some((op) => methodOf(op) === "POST"),
    read(args) {
      const { operation: id, input, idempotency_key, approval_id, max_rows, ...others } = args;
      const op = ops.find((one) => one.id === id);
      if (!op) throw invalidInput([{ path: "operation", message: whyNot(id, tool.name) }]);
      const extra = Object.keys(others)[0];
      if (extra !== undefined) {
        throw invalidInput([{ path: extra.slice(0, 100), message: "is not a known field; put it into input" }]);
      }
      if (typeof input !== "object" || input === null || Array.isArray(input)) {
        throw invalidInput([{ path: "input", message: 'must be an object such as {"site_id": 1}' }]);
      }
      return {
        op,
        input: withLimit(op, input as Record<string, unknown>),
        key: textIn(idempotency_key, "idempotency_key"),
        approvalId: approvalIn(approval_id),
        rows: isPaged(op) ? MAX_ROWS : rowsIn(max_rows),
        hint: `operations_find with {"operation": "${op.id}"} returns the schema of its input.`,
      };
    },
  };
}

function whyNot(id: unknown, asked: string): string {
  const op = typeof id === "string" ? OPERATIONS.get(id) : undefined;
  if (!op) return "must be the id of an operation; operations_find lists them";
  return `names ${op.id}, which ${asked} does not run; call it with ${toolFor(op)}`;
}

/** Returns the name of the tool that runs any operation of this kind. */
export function toolFor(op: AnyOperation): string {
  if (methodOf(op) === "GET") return "operations_read";
  return RISKS[op.risk].needsApproval ? "operations_request_approval" : "operations_write";
}

function textIn(value: unknown, path: string): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "string" && /^[\x21-\x7e]{8,200}$/.test(value)) return value;
  throw invalidInput([{ path, message: "must be 8 to 200 visible ASCII characters without spaces" }]);
}

function approvalIn(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "string" && /^apr_[A-Za-z0-9_-]{8,60}$/.test(value)) return value;
  throw invalidInput([{ path: "approval_id", message: "must be the approval_id of an earlier answer" }]);
}

function rowsIn(value: unknown): number {
  if (value === undefined || value === null) return DEFAULT_ROWS;
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MAX_ROWS) return value;
  throw invalidInput([{ path: "max_rows", message: `must be a whole number from 1 to ${MAX_ROWS}` }]);
}

/** All tools that run operations, in the order of `tools/list`, which never changes. */
export const TOOLS: readonly Tool[] = [
  ...DIRECT.map((id) => directTool(operation(id))),
  genericTool({
    name: "operations_read",
    title: "Read anything else",
    about: "Runs any operation that only reads.",
    includes: (op) => methodOf(op) === "GET",
    parameters: { max_rows: ROWS },
  }),
  genericTool({
    name: "operations_write",
    title: "Change something",
    about: "Runs an operation that creates or changes something that is easy to undo.",
    includes: (op) => methodOf(op) === "POST" && !RISKS[op.risk].needsApproval,
    parameters: { idempotency_key: KEY },
  }),
  genericTool({
    name: "operations_request_approval",
    title: "Change something with a person's approval",
    about:
      "Asks a person to approve exactly this change, and makes it once they have. The answer has an address and a code to show them; then repeat the same call with approval_id.",
    includes: (op) => RISKS[op.risk].needsApproval,
    parameters: { approval_id: APPROVAL, idempotency_key: KEY },
  }),
];

const byName: ReadonlyMap<string, Tool> = new Map(TOOLS.map((tool) => [tool.name, tool]));

/** Returns a tool that runs operations; undefined for other names. */
export const toolNamed = (name: string): Tool | undefined => byName.get(name);
