import type { Role } from "@/lib/contract/access";
import type { AnyOperation, Principal } from "@/lib/contract/define";
import { execute } from "@/lib/gateway/execute";
import { OPERATIONS } from "@/lib/operations/index";
import { db } from "@/lib/platform/db";
import type { Refusal } from "@/lib/platform/errors";
import { siteFor } from "@/lib/sites/access";
import { makePerson } from "@/lib/testing/world";

/** Calls operations by name, as a signed-in person or as any principal. */

export const CALL_TIME = new Date("2025-03-12T12:00:00Z");

/** Calls an operation. @returns the `data` of the answer. */
export async function call(who: number | Principal, id: string, input: object, now = CALL_TIME) {
  const operation = OPERATIONS.get(id) as AnyOperation;
  const principal: Principal = typeof who === "number" ? { kind: "owner", personId: who } : who;
  const { data } = await execute(operation, { principal, input, now, requestId: "test" });
  return data;
}

/** Returns the refusal of a call; null when it succeeds. */
export const refused = (promise: Promise<unknown>): Promise<Refusal | null> =>
  promise.then(
    () => null,
    (error) => error,
  );

/** Returns the issues of a 422, such as `site_id: must be a whole number`. */
export async function faults(promise: Promise<unknown>): Promise<string[]> {
  const refusal = await refused(promise);
  const issues = (refusal?.details?.issues ?? []) as { path: string; message: string }[];
  return issues.map(({ path, message }) => `${path}: ${message}`);
}

/** Returns the summary that a person sees before approving. */
export async function summaryOf(personId: number, siteId: number, id: string, input: object) {
  const operation = OPERATIONS.get(id) as AnyOperation;
  const principal: Principal = { kind: "owner", personId };
  const site = await siteFor(db(), principal, siteId, "viewer");
  return operation.summary?.({
    input: operation.input.parse({ site_id: siteId, ...input }),
    principal,
    site,
    db: db(),
    now: CALL_TIME,
    requestId: "test",
  });
}

/** Creates a person with a role on a site. */
export async function makeMember(siteId: number, role: Role): Promise<number> {
  const personId = await makePerson();
  await db().membership.create({ data: { siteId, personId, role } });
  return personId;
}

export const revisionOf = async (siteId: number): Promise<number> =>
  (await db().site.findUniqueOrThrow({ where: { id: siteId } })).revision;
