import { currentLanguage, t } from "@/lib/texts/translate";

/** How a value of a text is shown, by its name: most are names and numbers, which stay as they are. */
type Shown = Readonly<Record<string, (value: string) => string>>;

/**
 * Returns a function that translates English texts which operations answer, because answers of the API are English: those that
 * fit one of `templates`, such as "must have at most {count} characters". Any other text stays as it is.
 *
 * @param templates marked with `msg`; the first that fits is taken
 */
export function translatorOf(templates: readonly string[], shown: Shown = {}): (english: string) => string {
  const plain = new Set(templates.filter((template) => !VALUE.test(template)));
  const patterns = templates
    .filter((template) => VALUE.test(template))
    .map((template) => ({ template, pattern: patternOf(template) }));
  return (english) => {
    if (currentLanguage() === "en") return english;
    if (plain.has(english)) return t(english);
    for (const { template, pattern } of patterns) {
      const values = pattern.exec(english)?.groups;
      if (!values) continue;
      const named = Object.entries(values).map(([name, value]) => [name, shown[name]?.(value) ?? value]);
      return t(template, Object.fromEntries(named));
    }
    return english;
  };
}

/** Returns a function that translates each of several texts that semicolons join; one of them may have semicolons itself. */
export function eachOf(known: (english: string) => string): (english: string) => string {
  return function inWords(english: string): string {
    const parts = english.split("; ");
    const first = (count: number) => parts.slice(0, count).join("; ");
    const counts = parts.map((_, index) => index + 1);
    const count = counts.find((one) => known(first(one)) !== first(one)) ?? 1;
    return [known(first(count)), ...(count < parts.length ? [inWords(parts.slice(count).join("; "))] : [])].join("; ");
  };
}

const VALUE = /\{\w+\}/;

function patternOf(template: string): RegExp {
  const source = template
    .split(/(\{\w+\})/)
    .map((part) => (VALUE.test(part) ? `(?<${part.slice(1, -1)}>.+?)` : part.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")));
  return new RegExp(`^${source.join("")}$`, "su");
}
