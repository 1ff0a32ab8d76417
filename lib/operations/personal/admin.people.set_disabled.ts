import { z } from "zod";
import { setPersonDisabled } from "@/lib/admin/change-people";
import { requireAdministrator } from "@/lib/auth/administrators";
import { definePersonalOperation, FRESH_MS } from "@/lib/contract/define";
import { personId } from "@/lib/contract/fields";

export default definePersonalOperation({
  id: "admin.people.set_disabled",
  freshMs: FRESH_MS,
  input: z.strictObject({ person_id: personId, disabled: z.boolean("must be true or false") }),

  async run({ input, ...by }) {
    requireAdministrator(by.owner);
    await setPersonDisabled(by, input.person_id, input.disabled);
    return {};
  },
});
