import type { AnyOperation } from "@/lib/contract/define";
import { issuesOf } from "@/lib/contract/fields";
import { invalidInput } from "@/lib/platform/errors";
import { refuseFaults } from "@/lib/platform/json";

/** Validates what was sent against the operation's input schema. @throws Refusal `invalid_input` */
export function readInput(op: Pick<AnyOperation, "input">, sent: unknown): Record<string, unknown> {
  refuseFaults(sent);
  refuseLostKey(sent);
  const parsed = op.input.safeParse(sent, { reportInput: true });
  if (!parsed.success) throw invalidInput(issuesOf(parsed.error));
  return parsed.data;
}

/** Zod leaves out keys called `__proto__`. The input has been checked for its depth. */
function refuseLostKey(value: unknown, path: readonly string[] = []): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, within] of Object.entries(value)) {
    if (key === "__proto__")
      throw invalidInput([{ path: [...path, key].join("."), message: "is not a name that can be used; leave it out" }]);
    refuseLostKey(within, [...path, key]);
  }
}
