import type { AnyOperation } from "@/lib/contract/define";
import { issuesOf } from "@/lib/contract/fields";
import { invalidInput } from "@/lib/platform/errors";
import { refuseFaults } from "@/lib/platform/json";

/** Validates what was sent against the operation's input schema. @throws Refusal `invalid_input` */
export function readInput(op: Pick<AnyOperation, "input">, sent: unknown): Record<string, unknown> {
  refuseFaults(sent);
  const parsed = op.input.safeParse(sent, { reportInput: true });
  if (!parsed.success) throw invalidInput(issuesOf(parsed.error));
  return parsed.data;
}
