import { z } from "zod";
import { setLanguage } from "@/lib/account/language";
import { definePersonalOperation } from "@/lib/contract/define";
import { LANGUAGES, type Language } from "@/lib/texts/languages";

const languages = Object.keys(LANGUAGES) as [Language, ...Language[]];

export default definePersonalOperation({
  id: "account.set_language",
  freshMs: null,
  input: z.strictObject({ language: z.enum(languages, `must be one of ${languages.join(", ")}`) }),

  async run({ input, owner, now }) {
    await setLanguage(owner, input.language, now);
    return {};
  },
});
