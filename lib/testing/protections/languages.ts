import type { Exempt, Protection } from "@/lib/testing/protections/protection";

/** Languages of pages and emails. */
export const LANGUAGES: readonly (Protection | Exempt)[] = [
  {
    case: 320,
    file: "lib/texts/languages.ts",
    find: "return isLanguage(chosen) ? chosen : undefined;",
    replace: "return chosen as Language | undefined;",
    test: {
      file: "lib/texts/languages.test.ts",
      title: "a chosen language is read from its cookie beside others, and any other value counts as none",
    },
  },
  {
    case: 321,
    file: "lib/texts/known-texts.ts",
    find: "return t(template, Object.fromEntries(named));",
    replace: "return t(template.replace(VALUE, String(named[0]?.[1])), {});",
    test: {
      file: "lib/texts/known-texts.test.ts",
      title: "a value of a known text is shown as it is, whatever it looks like",
    },
  },
  {
    case: 322,
    file: "lib/texts/in-language.ts",
    find: "isLanguage(language ?? undefined) ? ",
    replace: "language !== null ? ",
    test: {
      file: "lib/texts/known-texts.test.ts",
      title: "a language that a stored value does not name leaves that of the request",
    },
  },
];
