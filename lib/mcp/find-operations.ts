import type { CallToolResult, ToolAnnotations } from "@modelcontextprotocol/server";
import { RISKS } from "@/lib/contract/access";
import type { AnyOperation } from "@/lib/contract/define";
import { withData } from "@/lib/mcp/results";
import { inputSchemaOf } from "@/lib/mcp/tool-schema";
import { toolFor } from "@/lib/mcp/tools";
import { OPERATIONS } from "@/lib/operations/index";
import { invalidInput } from "@/lib/platform/errors";
import type { Schema } from "@/lib/publish/schemas";

/** `operations_find`: says what operations there are and how to call them. It reads nothing of any site. */

const FEW = 3;
const LONGEST_QUERY = 200;

export const FIND: { name: string; title: string; description: string; schema: Schema; annotations: ToolAnnotations } =
  {
    name: "operations_find",
    title: "Find an operation",
    description: `Finds operations by words, or one by its id, with the tool that runs each. Up to ${FEW} matches come with the JSON Schema of their input and an example. Without arguments, it lists all.`,
    schema: {
      type: "object",
      properties: {
        query: {
          type: "string",
          maxLength: LONGEST_QUERY,
          description: "Words that occur in the id, title or description, such as: goal, webhook, retention",
        },
        operation: { type: "string", maxLength: LONGEST_QUERY, description: "Id of one operation" },
      },
      additionalProperties: false,
    },
    annotations: { title: "Find an operation", readOnlyHint: true, openWorldHint: false },
  };

/** @throws Refusal `invalid_input` for wrong arguments and for an unknown id. */
export function findOperations(args: Record<string, unknown>, requestId: string): CallToolResult {
  const { query = null, operation = null, ...others } = args;
  const extra = Object.keys(others)[0];
  if (extra !== undefined) {
    throw invalidInput([{ path: extra.slice(0, 100), message: "is not a known field; leave it out" }]);
  }
  for (const [path, value] of Object.entries({ query, operation })) {
    if (value !== null && (typeof value !== "string" || value.length > LONGEST_QUERY)) {
      throw invalidInput([{ path, message: `must be text of at most ${LONGEST_QUERY} characters` }]);
    }
  }
  const found = operation === null ? matching(`${query ?? ""}`) : named(`${operation}`);
  const withSchema = found.length <= FEW;
  const operations = found.map((op) => howToCall(op, withSchema));
  const text =
    found.length === 0
      ? "No operation matches. Try other words, or leave out the query to list all."
      : `${found.length} operations${withSchema ? "" : `; narrow it to ${FEW} for the schemas of their inputs`}.`;
  return withData(text, { operations, request_id: requestId });
}

function named(id: string): AnyOperation[] {
  const op = OPERATIONS.get(id) ?? [...OPERATIONS.values()].find((one) => one.id.replaceAll(".", "_") === id);
  if (op) return [op];
  throw invalidInput([{ path: "operation", message: "must be the id of an operation; search with query instead" }]);
}

/** Returns the operations with all words, those with the words in their id first. */
function matching(query: string): AnyOperation[] {
  const words = query
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== "");
  const inId = ({ id }: AnyOperation) => words.every((word) => id.includes(word));
  const anywhere = ({ id, title, about }: AnyOperation) => {
    const text = `${id} ${title} ${about}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const found = [...OPERATIONS.values()].filter(anywhere);
  return [...found.filter(inId), ...found.filter((op) => !inId(op))];
}

function howToCall(op: AnyOperation, withSchema: boolean): Record<string, unknown> {
  const { needsApproval, about } = RISKS[op.risk];
  return {
    operation: op.id,
    title: op.title,
    tool: toolFor(op),
    ...(withSchema
      ? {
          about: op.about,
          scope: op.scope,
          role: op.role,
          risk: `${op.risk}: ${about}`,
          needs_approval: needsApproval,
          input: inputSchemaOf(op),
          example: op.example,
        }
      : {}),
  };
}
