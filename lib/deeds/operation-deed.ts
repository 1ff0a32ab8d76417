import type { z } from "zod";
import type { Operation } from "@/lib/contract/define";
import { type Deed, defineDeed } from "@/lib/deeds/define";
import { approverFreshMs } from "@/lib/gateway/decide";
import { execute } from "@/lib/gateway/execute";

/**
 * An operation that a signed-in person does on a page: the operation's own input and gates, and as fresh a sign-in as
 * allowing it to an agent asks for.
 */
export const operationDeed = <Input extends z.ZodObject, Output extends z.ZodType>(
  id: string,
  operation: Operation<Input, Output>,
): Deed<Input> =>
  defineDeed({
    id,
    freshMs: approverFreshMs(operation.risk),
    input: operation.input,

    async run({ input, owner, requestId, now }) {
      const principal = { kind: "owner", personId: owner.personId } as const;
      const { data } = await execute(operation, { principal, input, requestId, now });
      return data as Record<string, unknown>;
    },
  });
