import { z } from "zod";
import { lockSession } from "@/lib/auth/session-row";
import { definePersonalOperation } from "@/lib/contract/define";
import { db } from "@/lib/platform/db";
import { LANGUAGES, type Language } from "@/lib/texts/languages";

const languages = Object.keys(LANGUAGES) as [Language, ...Language[]];

/** Stores the language that a person chose, for their emails and for browsers in which they sign in. */
export default definePersonalOperation({
  id: "account.set_language",
  freshMs: null,
  input: z.strictObject({ language: z.enum(languages, `must be one of ${languages.join(", ")}`) }),

  async run({ input, owner, now }) {
    await db().$transaction(async (tx) => {
      await lockSession(tx, owner, now);
      await tx.person.update({ where: { id: owner.personId }, data: { language: input.language } });
    });
    return {};
  },
});
