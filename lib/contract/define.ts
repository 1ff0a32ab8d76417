import type { z } from "zod";
import type { Risk, Role, Scope } from "@/lib/contract/vocabulary";
import type { Db } from "@/lib/db";

/** Who calls: a signed-in human. */
export interface Principal {
  kind: "owner";
  personId: number;
}

/** The site an operation acts on, as found by the gates: it exists and the caller may act on it. */
export interface SiteAccess {
  id: number;
  timezone: string;
  role: Role;
}

export interface Work<Input, Site> {
  input: Input;
  principal: Principal;
  site: Site;
  /** Joined to the operation's transaction when it writes. */
  db: Db;
  now: Date;
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
  run(
    work: Work<z.output<Input>, "site_id" extends keyof Input["shape"] ? SiteAccess : null>,
  ): Promise<z.input<Output>>;
}

export function defineOperation<Input extends z.ZodObject, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
): Operation<Input, Output> {
  return operation;
}

// A registry holds operations of every shape; execute() is the one place that pairs an input with its own operation.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnyOperation = Operation<any, any>;
