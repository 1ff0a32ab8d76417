import type { z } from "zod";
import { RISKS, type Risk, type Role, type Scope } from "@/lib/contract/access";
import type { Db } from "@/lib/platform/db";
import { type ErrorCode, Refusal } from "@/lib/platform/errors";

/** A signed-in person and their session in one browser. */
export interface Owner {
  personId: number;
  email: string;
  name: string | null;
  sid: string;
  /** When the person last entered their credentials in this session. */
  signedInAt: Date;
  /** Whether two-factor authentication is on: there is an authenticator app or a passkey, also one of an earlier host. */
  secondFactor: boolean;
  /**
   * What the person can prove themselves with now; `provider`: by an identity that is linked at the configured one;
   * `formerPasskey`: nothing, because these passkeys were made for an earlier host of the service.
   */
  ways: { password: boolean; provider: boolean; passkey: boolean; formerPasskey: boolean; app: boolean };
  /** Whether the person has confirmed their email address. */
  confirmed: boolean;
  /** Whether they administer the service. */
  administrator: boolean;
}

/** `machine` acts for itself, `delegated` for the person who consented, `personal` by a token that a person made. */
export type ClientKind = "machine" | "delegated" | "personal";

/** The caller: a signed-in person, or an agent's client with the scopes that its token and consent allow now. */
export type Principal =
  | {
      kind: "owner";
      personId: number;
      /** Whether a reader without an account sees revenue and orders of what is shared. */
      seesRevenue?: boolean;
    }
  | {
      kind: "client";
      clientId: string;
      clientKind: ClientKind;
      /** The person it acts for; null for a machine client that has none. */
      personId: number | null;
      scopes: readonly Scope[];
      /** What its token is for (RFC 8707): the management API or the MCP endpoint. */
      resource: string;
    };

/** Person ids start at 1. */
const NOBODY = 0;

/** An anonymous visitor of a public dashboard or private link. */
export const publicViewer = (seesRevenue: boolean): Principal => ({ kind: "owner", personId: NOBODY, seesRevenue });

/** Whether the caller may see what visits brought: members and their agents, and readers of what is shared with revenue. */
export const seesRevenue = (principal: Principal): boolean =>
  !isPublicViewer(principal) || (principal.kind === "owner" && principal.seesRevenue === true);

/** Whether the caller is an anonymous visitor of a public dashboard, which hides annotations. */
export const isPublicViewer = ({ personId }: Principal): boolean => personId === NOBODY;

/**
 * Returns the id of the calling person, or of the person that an agent acts for.
 *
 * @throws Refusal `role_denied` for a machine without a person.
 */
export function requirePerson({ personId }: Principal): number {
  if (personId !== null) return personId;
  throw new Refusal(
    "role_denied",
    "This operation needs a person, and this machine client acts for none. A person must take it over first.",
  );
}

/** Returns how a client gets a scope that was not granted to it, in one sentence. */
export function wayToScope({ clientKind, personId }: Principal & { kind: "client" }): string {
  if (clientKind === "personal") return "A personal token keeps its scopes: its person makes another one at /account.";
  if (personId !== null)
    return "A scope that was not granted needs a new consent of your human, as you asked before: /oauth/device/code or /oauth/authorize.";
  return "This account has no human to ask: recover it with other scopes by a fresh proof of its domain, or let a human take it over.";
}

/** The site that an operation acts on. It exists, and the caller has access to it. */
export interface SiteAccess {
  id: number;
  domain: string;
  timezone: string;
  /** The reporting currency (ISO 4217). */
  currency: string;
  /** The limit in months (null: none), and the first day with data after earlier deletions (null: nothing deleted). */
  retention: { months: number | null; from: Date | null };
  /** Whether slashes at the end of a path make no other page. */
  mergeSlashes: boolean;
  /** The query parameters that make a page. */
  pageQuery: readonly string[];
  /** Incremented by every change of the site. */
  revision: number;
  role: Role;
}

export interface Work<Input, Site> {
  input: Input;
  principal: Principal;
  site: Site;
  /** The transaction of the operation when it writes. */
  db: Db;
  now: Date;
  requestId: string;
  /** The result of `reach`, for an operation that has one. */
  reached?: unknown;
}

/** One line of the change summary that a person sees before approval, with the current and the new value. */
export interface ChangeLine {
  label: string;
  before: string | null;
  after: string | null;
}

/** An operation of the service. API, OpenAPI, docs, llms.txt and dashboard derive from this definition. */
export interface Operation<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  /** Also the last segment of its URL and the name of its file. */
  id: string;
  title: string;
  about: string;
  scope: Scope;
  /** The minimum role on the site `input.site_id`. */
  role: Role;
  risk: Risk;
  input: Input;
  output: Output;
  /** Example input for the docs. */
  example: z.input<Input>;
  /** Records each call in the audit log like a write, for reads of bulk data. */
  auditsReads?: true;
  /** Returns the changes for the person who approves. Required exactly when the risk needs approval. */
  summary?(work: WorkOf<Input>): Promise<ChangeLine[]>;
  /** Also answers for a site that an administrator has disabled, so that its owners keep their data. */
  whileDisabled?: true;
  /** The caller may lose access to the site. A repeated call still gets the stored answer. */
  removesAccess?: true;
  /**
   * Calls external services before and outside the transaction; `run` gets the result as `reached`. The idempotency
   * key is held by a lease meanwhile, so `reach` may run twice.
   */
  reach?(work: WorkOf<Input>): Promise<unknown>;
  run(work: WorkOf<Input>): Promise<z.input<Output>>;
  /**
   * Returns the state that the operation changes, by the names of its input: the audit log stores what differs after the
   * change, and sending the former values undoes it. Null where there is none, as for a new object. No secrets.
   */
  current?(work: WorkOf<Input>): Promise<Record<string, unknown> | null>;
  /** Returns what the audit log stores instead of the whole input: no secrets, and the ids of created objects. */
  audited?(done: { input: z.output<Input>; data: z.output<Output> }): Record<string, unknown>;
  /** Runs in the background after the commit, in this process only; not for a replayed answer. Must not throw. */
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

// The registry holds operations of every shape; only execute() pairs an input with its operation.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnyOperation = Operation<any, any>;

export interface PersonalWork<Input> {
  input: Input;
  owner: Owner;
  /** The IP address of the browser. */
  address: string;
  requestId: string;
  now: Date;
}

/**
 * An operation on a person's own account, sessions, agents and approvals instead of a site. Only the dashboard can
 * call it; it is not published.
 */
export interface PersonalOperation<Input extends z.ZodObject = z.ZodObject, Output extends object = object> {
  /** Also its path, `/actions/<id>`, and the name of its file. */
  id: string;
  /** Maximum age of the sign-in in milliseconds; null when any session is accepted or `run` checks it. */
  freshMs: number | null;
  input: Input;
  /** @returns the data that the page needs. */
  run(work: PersonalWork<z.output<Input>>): Promise<Output>;
}

export function definePersonalOperation<const Id extends string, Input extends z.ZodObject, Output extends object>(
  operation: PersonalOperation<Input, Output> & { id: Id },
): PersonalOperation<Input, Output> & { id: Id } {
  return operation;
}

// biome-ignore lint/suspicious/noExplicitAny: as `AnyOperation`
export type AnyPersonalOperation = PersonalOperation<any, any>;

/** A browser on one of our pages, whoever uses it. */
export interface Browser {
  /** Its IP address. */
  address: string;
  /** Whether it runs on the server's machine. */
  isOnThisMachine: boolean;
}

/** The result of an entry operation. */
export interface Entered<Data extends object> {
  /** The data that the page needs. */
  data: Data;
  /** The normalised address of the account that the visitor has proven to own: the browser is known for it from now on. */
  knownFor?: string;
  /** A `Set-Cookie` header for the browser, in place of that of `knownFor`. */
  cookie?: string;
  /** Runs after the answer is sent, so that its time reveals nothing. Errors are logged. */
  after?(): Promise<void>;
}

/**
 * An operation of visitors without a session: how people get an account, and back into it. What it allows depends on
 * its input alone; a session gives nothing. Only our own pages can call it; it is not published.
 */
export interface EntryOperation<Input extends z.ZodObject = z.ZodObject, Data extends object = object> {
  /** Also its path, `/actions/<id>`, and the name of its file. */
  id: string;
  input: Input;
  run(work: { input: z.output<Input>; browser: Browser; now: Date }): Promise<Entered<Data>>;
}

export function defineEntryOperation<const Id extends string, Input extends z.ZodObject, Data extends object>(
  operation: EntryOperation<Input, Data> & { id: Id },
): EntryOperation<Input, Data> & { id: Id } {
  return operation;
}

// biome-ignore lint/suspicious/noExplicitAny: as `AnyOperation`
export type AnyEntryOperation = EntryOperation<any, any>;

/** Maximum age of the sign-in for changes to the account and to access: ten minutes. */
export const FRESH_MS = 10 * 60_000;

/** A route that is not an operation: the Events API, identity and OAuth endpoints, and the health check. */
export interface Endpoint {
  id: string;
  method: "GET" | "POST" | "PUT";
  path: string;
  title: string;
  about: string;
  tag: string;
  /** The request body as JSON or a form; null without one. */
  input: z.ZodObject | null;
  /** Parameters in the path, in braces, and in the query. */
  parameters?: readonly {
    name: string;
    in: "path" | "query";
    about: string;
    shape: z.ZodType;
    example: string | number;
  }[];
  /** The body is a file of this content type. */
  file?: string;
  /** Content types of the files that it answers. */
  files?: readonly string[];
  /** The bearer token is an access token with this scope. */
  scope?: Scope;
  /** Example body for the docs. */
  example?: Record<string, unknown>;
  /** The body is a form (RFC 6749 appendix B), not JSON. */
  form?: true;
  /** Requires an `Idempotency-Key` of 64 hex characters. */
  identityKey?: true;
  /** The bearer token is an ingest key of a site, required or optional. */
  ingestKey?: "required" | "optional";
  /** The response is wrapped as `{ data, request_id }`. */
  enveloped?: true;
  /** Successful responses by status, each with an example. */
  answers: Record<number, { about: string; output: z.ZodObject; example: Record<string, unknown> }>;
  refusals: readonly ErrorCode[];
  /** Error codes of an OAuth endpoint by status, as its RFCs name them. Such an endpoint has no `refusals`. */
  oauthErrors?: Readonly<Record<number, readonly string[]>>;
}

export const defineEndpoint = (endpoint: Endpoint): Endpoint => endpoint;

/** Whether an agent needs a person's approval to call this operation. */
export const needsApproval = (op: AnyOperation): boolean => RISKS[op.risk].needsApproval;
