import type { AnyEntryOperation } from "@/lib/contract/define";
import invitationsJoin from "@/lib/operations/entry/invitations.join";
import linksUnlock from "@/lib/operations/entry/links.unlock";
import passkeysAsk from "@/lib/operations/entry/passkeys.ask";
import resetFinish from "@/lib/operations/entry/reset.finish";
import resetRequest from "@/lib/operations/entry/reset.request";
import signupFinish from "@/lib/operations/entry/signup.finish";
import signupFirst from "@/lib/operations/entry/signup.first";
import signupRequest from "@/lib/operations/entry/signup.request";

const all = [
  invitationsJoin,
  linksUnlock,
  passkeysAsk,
  resetFinish,
  resetRequest,
  signupFinish,
  signupFirst,
  signupRequest,
] as const;

/** Type of each entry operation by id, for typed callers. */
export type EntryOperations = { [Operation in (typeof all)[number] as Operation["id"]]: Operation };

/** Registry of all entry operations by id. */
export const ENTRY_OPERATIONS: ReadonlyMap<string, AnyEntryOperation> = new Map(
  all.map((operation): [string, AnyEntryOperation] => [operation.id, operation]),
);
