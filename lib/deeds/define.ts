import type { z } from "zod";
import type { Owner } from "@/lib/auth/session-row";

export interface DeedWork<Input> {
  input: Input;
  owner: Owner;
  /** The browser's address, as the server saw it. */
  address: string;
  requestId: string;
  now: Date;
}

/**
 * One thing that a signed-in person does on a page, told once. Whatever needs no session, and whatever reads only, is no
 * deed. A deed that changes a site goes through `execute` as its person.
 */
export interface Deed<Input extends z.ZodObject = z.ZodObject> {
  /** Also its address, `/actions/<id>`, and the name of its file. */
  id: string;
  /** The oldest sign-in that will do, in milliseconds; null where any session does, or `run` decides. */
  freshMs: number | null;
  input: Input;
  /** @returns what the page needs to know; nothing when the page simply loads anew. */
  run(work: DeedWork<z.output<Input>>): Promise<Record<string, unknown> | undefined>;
}

export const defineDeed = <Input extends z.ZodObject>(deed: Deed<Input>): Deed<Input> => deed;

// biome-ignore lint/suspicious/noExplicitAny: a registry holds deeds of every shape; perform() pairs each with its input
export type AnyDeed = Deed<any>;

/** What a change of one's own account or of who may act asks for: a sign-in of the last ten minutes. */
export const FRESH_MS = 10 * 60_000;
