import fc from "fast-check";
import { IntlMessageFormat } from "intl-messageformat";
import { expect, test } from "vitest";
import { currentLocale, localeOf } from "@/lib/platform/locale";
import { requestLocales } from "@/lib/platform/request-locale";
import { interfaceFiles, interfaceTexts } from "@/lib/testing/interface-texts";
import { CATALOGUES } from "@/lib/texts/catalogues";
import { languageOf } from "@/lib/texts/languages";
import { parseMessage, type Values } from "@/lib/texts/message";

/** What a library that reads all of ICU makes of a message. */
function ofLibrary(text: string, values: Values): unknown[] {
  const message = new IntlMessageFormat(text, languageOf(currentLocale()), undefined, {
    formatters: {
      getNumberFormat: (_, options) => new Intl.NumberFormat(currentLocale(), options),
      getDateTimeFormat: (_, options) => new Intl.DateTimeFormat(currentLocale(), options),
      getPluralRules: (language, options) => new Intl.PluralRules(language, options),
    },
  });
  return drawn([message.format(values as Record<string, never>)].flat());
}

/** Parts without empty texts, which draw nothing. */
const drawn = (parts: unknown[]): unknown[] => parts.filter((part) => part !== "");

const element = (name: string) => (parts: unknown[]) => ({ element: name, parts: drawn(parts) });
const NUMBERS = [0, 1, 2, 3, 1204, 0.5, 1_000_000];

interface Node {
  type: number;
  value: string;
  options?: Record<string, { value: Node[] }>;
  children?: Node[];
}
const ELEMENT = 8;
const SELECT = 5;

/** Several sets of values for a message: of each number, and of each choice of a `select`. */
function valuesFor(text: string): Values[] {
  const nodes: Node[] = [];
  (function visit(found: Node[]): void {
    for (const node of found) {
      nodes.push(node);
      visit([...Object.values(node.options ?? {}).flatMap(({ value }) => value), ...(node.children ?? [])]);
    }
  })(new IntlMessageFormat(text, "en").getAst() as unknown as Node[]);
  return NUMBERS.map((number, index) => {
    const sampleOf = ({ type, value, options }: Node): unknown => {
      if (type === ELEMENT) return element(value);
      const keys = Object.keys(options ?? {});
      return type === SELECT ? keys[index % keys.length] : number;
    };
    return Object.fromEntries(
      nodes.filter(({ type }) => type > 0 && type !== 7).map((node) => [node.value, sampleOf(node)]),
    );
  });
}

const texts = interfaceFiles()
  .flatMap((file) => interfaceTexts(file).translated)
  // A constant that is marked does not tell whether it gets values.
  .flatMap(({ text, hasValues }) =>
    hasValues || (text.includes("{") && !/<\/?(head|body)>/.test(text)) ? [text] : [],
  );

for (const language of ["en", "de", "es"] as const) {
  test(`each text of the interface in ${language} is what a library that reads all of ICU makes of it`, () => {
    const catalogue = language === "en" ? {} : CATALOGUES[language];
    const messages = [...new Set(texts.map((text) => catalogue[text] ?? text))];
    expect(messages.length).toBeGreaterThan(100);
    requestLocales.run(localeOf(undefined, language), () => {
      for (const message of messages)
        for (const values of valuesFor(message))
          expect(drawn(parseMessage(message)(values))).toEqual(ofLibrary(message, values));
    });
  });
}

const literal = fc.stringMatching(/^[a-z .,;:#"“€é🙂-]*$/u);
const quote = fc.constantFrom("'' ", "it's ", "'{name}' ", "'<b>' ", "' ", "< 5", "'{it''s}' ");
const message: fc.Arbitrary<string> = fc.letrec<{ message: string; part: string }>((tie) => {
  const choices = (keys: string[]) =>
    fc.tuple(...keys.map((key) => tie("message").map((inner) => `${key} {${inner}}`))).map((all) => all.join(" "));
  return {
    message: fc.array(tie("part"), { maxLength: 3 }).map((parts) => parts.join("")),
    part: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      literal,
      quote,
      fc.constantFrom("{name}", "{ name }", "{count}", "{count, number}", "{nothing}"),
      choices(["=0", "one", "other"]).map((all) => `{count, plural, ${all}}`),
      choices(["day", "other"]).map((all) => `{kind, select, ${all}}`),
      tie("message").map((inner) => `<link>${inner}</link>`),
    ),
  };
}).message;

test("any message of literals, values, plurals, choices, elements and quotes is what that library makes of it", () => {
  const values = fc.record({
    name: fc.string(),
    kind: fc.constantFrom("day", "week", "constructor"),
    count: fc.oneof(fc.nat(), fc.double({ min: 0, max: 1e9, noNaN: true })),
  });
  fc.assert(
    fc.property(message, values, fc.constantFrom("de-DE", "es-ES", "en-GB", "fr-FR"), (text, some, locale) => {
      const all = { ...some, nothing: null, link: element("link") };
      requestLocales.run(locale, () => expect(drawn(parseMessage(text)(all))).toEqual(ofLibrary(text, all)));
    }),
    { numRuns: 1000 },
  );
});

test("what is no message is refused with its place", () => {
  for (const text of [
    "{",
    "{name",
    "{}",
    "{count, date}",
    "{count, plural, one {x}}",
    "{count, plural, one {x} other {y}",
    "{kind, select, other}",
    "<b>bold",
    "<b>bold</i>",
    "bold</b>",
    "a } b",
  ])
    expect(() => parseMessage(text), text).toThrow(/is no message at character \d+/);
});

test("a missing value is an error that names it, also one that every object inherits", () => {
  expect(() => parseMessage("Remove {name}?")({})).toThrow("needs a value for name");
  expect(() => parseMessage("{constructor}")({})).toThrow("needs a value for constructor");
});
