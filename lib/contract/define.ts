import type { z } from "zod";
import { RISKS, type Risk, type Role, type Scope } from "@/lib/contract/vocabulary";
import type { Db } from "@/lib/platform/db";
import { type ErrorCode, Refusal } from "@/lib/platform/errors";

/** A signed-in person on one browser. */
export interface Owner {
  personId: number;
  email: string;
  name: string | null;
  sid: string;
  /** When this person last proved on this browser who they are. */
  signedInAt: Date;
  /** Whether a second factor is asked of them. */
  secondFactor: boolean;
  /** Whether they have proved that the mailbox of their address is theirs. */
  confirmed: boolean;
}

/** Who calls: a signed-in human, or an agent's client with what its token and its human allow it at this moment. */
export type Principal =
  | { kind: "owner"; personId: number }
  | {
      kind: "client";
      clientId: string;
      clientKind: "machine" | "delegated";
      /** The human behind it; null for a machine on its own. */
      personId: number | null;
      scopes: readonly Scope[];
    };

/** Anyone who looks at a public site. Ids of people begin at 1. */
export const PUBLIC_VIEWER: Principal = { kind: "owner", personId: 0 };

/** Whether an operation answers a public dashboard, which shows nothing that people of the site wrote for themselves. */
export const isPublicViewer = ({ personId }: Principal): boolean => personId === PUBLIC_VIEWER.personId;

/**
 * The person who calls, or for whom an agent calls.
 *
 * @throws Refusal `role_denied` for a machine without a person.
 */
export function requirePerson({ personId }: Principal): number {
  if (personId !== null) return personId;
  throw new Refusal(
    "role_denied",
    "This needs a person behind the client, and nobody has taken this machine's account over yet.",
  );
}

/** The site an operation acts on, as found by the gates: it exists and the caller may act on it. */
export interface SiteAccess {
  id: number;
  domain: string;
  timezone: string;
  /** The reporting currency, as in ISO 4217. */
  currency: string;
  /** How many months what was counted is kept, and the first day that is left where older ones were destroyed. */
  retention: { months: number | null; from: Date | null };
  /** Grows with every change of the site. */
  revision: number;
  role: Role;
}

export interface Work<Input, Site> {
  input: Input;
  principal: Principal;
  site: Site;
  /** Joined to the operation's transaction when it writes. */
  db: Db;
  now: Date;
  requestId: string;
  /** What `reach` brought back, for an operation that has it. */
  reached?: unknown;
}

/** One line of what a human sees before agreeing: a thing, what it is and what it would become. */
export interface ChangeLine {
  label: string;
  before: string | null;
  after: string | null;
}

/** One thing the service can do, told once; every surface is derived from it. */
export interface Operation<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  /** Also its address: the last segment of its URL and the name of its file. */
  id: string;
  title: string;
  about: string;
  scope: Scope;
  /** The least role on the site that `input.site_id` names. */
  role: Role;
  risk: Risk;
  input: Input;
  output: Output;
  /** An input as the docs show it. */
  example: z.input<Input>;
  /** An operation that only reads, but so much that the audit records each call as it records writes. */
  auditsReads?: true;
  /** What would change, for the human who is asked. Every operation whose risk asks a human has it. */
  summary?(work: WorkOf<Input>): Promise<ChangeLine[]>;
  /** After it the caller may no longer reach the site; a repeated call is answered from memory all the same. */
  removesAccess?: true;
  /**
   * Talks to the outside world, before and outside of the transaction in which `run` then uses what it brought back.
   * Such a call holds its key by a lease, and must bear reaching out twice.
   */
  reach?(work: WorkOf<Input>): Promise<unknown>;
  run(work: WorkOf<Input>): Promise<z.input<Output>>;
  /** What the audit keeps of a call instead of its whole input: without secrets, and with the ids of what was made. */
  audited?(done: { input: z.output<Input>; data: z.output<Output> }): Record<string, unknown>;
  /** Goes on in the background once the answer is committed, in this process alone; not for an answer of before. Never throws. */
  after?(done: z.output<Output>): void;
}

type WorkOf<Input extends z.ZodObject> = Work<
  z.output<Input>,
  "site_id" extends keyof Input["shape"] ? SiteAccess : null
>;

export function defineOperation<const Id extends string, Input extends z.ZodObject, Output extends z.ZodType>(
  operation: Operation<Input, Output> & { id: Id },
): Operation<Input, Output> & { id: Id } {
  return operation;
}

// A registry holds operations of every shape; execute() is the one place that pairs an input with its own operation.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnyOperation = Operation<any, any>;

export interface PersonalWork<Input> {
  input: Input;
  owner: Owner;
  /** The browser's address, as the server saw it. */
  address: string;
  requestId: string;
  now: Date;
}

/**
 * An operation on what belongs to a signed-in person and not to a site: their account, sessions, agents and decisions. Only
 * pages of ours call it. It is not published, and no client may call it.
 */
export interface PersonalOperation<Input extends z.ZodObject = z.ZodObject, Output extends object = object> {
  /** Also its address, `/actions/<id>`, and the name of its file. */
  id: string;
  /** The oldest sign-in that is accepted, in milliseconds; null where any session is, or `run` decides. */
  freshMs: number | null;
  input: Input;
  /** @returns what the page needs to know. */
  run(work: PersonalWork<z.output<Input>>): Promise<Output>;
}

export function definePersonalOperation<const Id extends string, Input extends z.ZodObject, Output extends object>(
  operation: PersonalOperation<Input, Output> & { id: Id },
): PersonalOperation<Input, Output> & { id: Id } {
  return operation;
}

// biome-ignore lint/suspicious/noExplicitAny: as `AnyOperation`
export type AnyPersonalOperation = PersonalOperation<any, any>;

/** What a change of one's own account or of who may act asks for: a sign-in of the last ten minutes. */
export const FRESH_MS = 10 * 60_000;

/** An address that is no operation: the Events API, the identity and OAuth endpoints, the health of the service. */
export interface Endpoint {
  id: string;
  method: "GET" | "POST";
  path: string;
  title: string;
  about: string;
  tag: string;
  /** The body it takes; none for a GET. */
  input: z.ZodObject | null;
  /** A body as the docs show it. */
  example?: Record<string, unknown>;
  /** The body is a form (RFC 6749 appendix B), not JSON. */
  form?: true;
  /** Every call carries an `Idempotency-Key` of 64 hex characters. */
  identityKey?: true;
  /** Its bearer is an ingest key of a site, always or where there is one. */
  ingestKey?: "required" | "optional";
  /** Its answer is the `data` of an envelope that carries the `request_id` too. */
  enveloped?: true;
  /** What it answers, by status, each with an example that fits. */
  answers: Record<number, { about: string; output: z.ZodObject; example: Record<string, unknown> }>;
  refusals: readonly ErrorCode[];
  /** The errors of an OAuth endpoint, by status, in the words of its RFCs; it has no refusals then. */
  oauthErrors?: Readonly<Record<number, readonly string[]>>;
}

export const defineEndpoint = (endpoint: Endpoint): Endpoint => endpoint;

/** Whether an agent needs a human's approval to call this operation. */
export const needsApproval = (op: AnyOperation): boolean => RISKS[op.risk].needsApproval;
