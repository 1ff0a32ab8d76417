import { getSystemErrorMap } from "node:util";
import { hasOwnMessage, Refusal } from "@/lib/platform/errors";

/**
 * What of an error's message may be logged. Messages of others can quote what a visitor has sent, so they are logged
 * only as templates: with the text that the program has, and without values.
 */

/** An error of Postgres, from `pg` or inside of one of Prisma. */
interface DatabaseFault {
  sqlstate: string;
  message: string;
  detail?: unknown;
  table?: unknown;
  constraint?: unknown;
}

/** The parts of an error that say what happened. */
export interface LoggableMessage {
  message?: string;
  /** Why Postgres, or Citus, does not support a statement. */
  detail?: string;
  sqlstate?: string;
  table?: string;
  constraint?: string;
}

export function loggableMessage(error: Error): LoggableMessage {
  const fault = databaseFault(error);
  if (fault) {
    const { sqlstate, message, detail, table, constraint } = fault;
    const reason = sqlstate === NOT_SUPPORTED && typeof detail === "string" ? { detail: templateOf(detail) } : {};
    return { message: templateOf(message), ...reason, sqlstate, ...identifiers({ table, constraint }) };
  }
  const message = ownMessage(error) ?? systemMessage(error) ?? knownMessage(error);
  return message === undefined ? {} : { message };
}

/** The message of a client error can name a field that the caller has invented; those of the server are fixed. */
function ownMessage(error: Error): string | undefined {
  if (hasOwnMessage(error)) return error.message;
  return error instanceof Refusal && error.status >= 500 ? error.message : undefined;
}

/** Such as `no space left on device (write)`. The message of Node adds the path or the host. */
function systemMessage(error: Error): string | undefined {
  const { errno, syscall } = error as NodeJS.ErrnoException;
  const [, text] = (typeof errno === "number" && getSystemErrorMap().get(errno)) || [];
  return text && (syscall === undefined ? text : `${text} (${syscall})`);
}

const KNOWN_MESSAGES: readonly RegExp[] = [
  // V8: names from the source text. A value in such a message has quotes or a space, so that it does not match.
  /^[A-Za-z_$][\w$]*([.#][\w$]+|\(\.\.\.\)|\[\.\.\.\])*(\.\w+)? is not (a function|a constructor|defined|iterable)/,
  /^\(intermediate value\)[\w$.]* is not (a function|a constructor|iterable)/,
  /^Cannot (read|set) properties of (undefined|null)/,
  /^Cannot access '[\w$]+' before initialization$/,
  /^(Maximum call stack size exceeded|Invalid (time value|string length|array length|URL)|URI malformed)$/,
  /^Converting circular structure to JSON/,
  /^(fetch failed|terminated|aborted|This operation was aborted|The operation was aborted due to timeout)$/,
  // node-postgres.
  /^(Connection terminated( unexpectedly| due to connection timeout)?|Query read timeout)$/,
  /^(Client has encountered a connection error and is not queryable|Client was closed and is not queryable)$/,
  /^(timeout exceeded when trying to connect|timeout expired|Cannot use a pool after calling end on the pool)$/,
  // DuckDB: what it could not do with a file or its memory. Other kinds of errors quote values.
  /^(IO Error|Out of Memory Error): [\s\S]{0,300}/,
  /^(Binder|Catalog|Parser|Syntax|Conversion|Constraint|Invalid Input|Out of Range|Not implemented|Invalid) Error(?=:)/,
  /^(Transaction|TransactionContext|Serialization|Dependency|INTERRUPT|INTERNAL|FATAL) Error(?=:)/,
];

/** Returns the part of a message that one of these programs always writes in the same words. */
function knownMessage({ message }: Error): string | undefined {
  for (const pattern of KNOWN_MESSAGES) {
    const [known] = pattern.exec(message) ?? [];
    if (known !== undefined) return known;
  }
  return undefined;
}

/** SQLSTATE of a statement that Postgres cannot run; its detail is about the statement, not about values. */
const NOT_SUPPORTED = "0A000";

const SQLSTATE = /^[0-9A-Z]{5}$/;

function databaseFault(error: Error): DatabaseFault | null {
  const { code, severity, detail, table, constraint, meta } = error as unknown as Record<string, unknown>;
  if (typeof severity === "string" && SQLSTATE.test(`${code}`)) {
    return { sqlstate: `${code}`, message: error.message, detail, table, constraint };
  }
  const { originalCode, originalMessage } = (meta as PrismaMeta | undefined)?.driverAdapterError?.cause ?? {};
  if (!SQLSTATE.test(`${originalCode}`)) return null;
  return { sqlstate: `${originalCode}`, message: `${originalMessage ?? ""}` };
}

interface PrismaMeta {
  driverAdapterError?: { cause?: { originalCode?: unknown; originalMessage?: unknown } };
}

/**
 * Returns a message of Postgres up to its first colon, without what it quotes, in any language, and without all that is
 * not a plain word.
 */
const templateOf = (message: string): string =>
  message
    .replace(/["'`«»‹›„“”‘’「」][\s\S]*["'`«»‹›„“”‘’「」]/, "…")
    .replace(/:\s[\s\S]*$/, "")
    .replace(/\S+/g, (word) => (/^\(?[A-Za-z]+([-/][A-Za-z]+)*[),;.]?$/.test(word) ? word : "…"));

/** Names of tables and constraints are ours. */
const identifiers = (names: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(names).filter((entry): entry is [string, string] => /^\w{1,63}$/.test(`${entry[1] ?? ""}`)),
  );
