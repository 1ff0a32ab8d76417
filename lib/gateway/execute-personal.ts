import { requireFresh } from "@/lib/auth/reauth";
import type { AnyPersonalOperation, PersonalWork } from "@/lib/contract/define";
import { readInput } from "@/lib/gateway/read-input";

/**
 * Runs a personal operation for the signed-in person: input → fresh sign-in → the operation, which opens its own
 * transactions.
 *
 * @throws Refusal for every error that the caller can correct.
 */
export async function executePersonal(
  op: AnyPersonalOperation,
  { input, ...by }: Omit<PersonalWork<unknown>, "input"> & { input: unknown },
): Promise<object> {
  const parsed = readInput(op, input);
  if (op.freshMs !== null) requireFresh(by.owner, op.freshMs, by.now);
  return op.run({ input: parsed, ...by });
}
