import type { z } from "zod";
import type { Operation, Principal, SiteAccess } from "@/lib/contract/define";
import { invalidInput } from "@/lib/contract/errors";
import { issuesOf } from "@/lib/contract/fields";
import { RISKS } from "@/lib/contract/vocabulary";
import { db } from "@/lib/db";
import { siteFor } from "@/lib/sites/access";

export interface Call {
  principal: Principal;
  input: unknown;
  now: Date;
}

/**
 * The one way to run an operation. Every surface comes through here, and the order of the lines is the policy:
 * input, then the site and the caller's role on it, then the work, in one transaction when it writes.
 *
 * @throws Refusal for every "no" that is the caller's to mend.
 */
export async function execute<Input extends z.ZodObject, Output extends z.ZodType>(
  op: Operation<Input, Output>,
  call: Call,
): Promise<z.output<Output>> {
  const read = op.input.safeParse(call.input, { reportInput: true });
  if (!read.success) throw invalidInput(issuesOf(read.error));
  const input = read.data;

  const site = await siteOf(op, call.principal, input);
  const work = (on: Parameters<typeof op.run>[0]["db"]) =>
    op.run({ input, principal: call.principal, site: site as never, db: on, now: call.now });
  const answer = RISKS[op.risk].method === "GET" ? await work(db()) : await db().$transaction(work);
  return op.output.parse(answer);
}

async function siteOf(
  op: { role: Operation["role"] },
  principal: Principal,
  input: Record<string, unknown>,
): Promise<SiteAccess | null> {
  if (!("site_id" in input)) return null;
  return siteFor(db(), principal.personId, input.site_id as number, op.role);
}
