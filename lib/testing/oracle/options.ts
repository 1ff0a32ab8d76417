import type { DimensionKey } from "@/lib/analytics/query/dimensions";
import { TRAFFIC_CLASSES } from "@/lib/contract/vocabulary";
import { ranked, visitorsOf } from "@/lib/testing/oracle/acquisition";
import { pageKey } from "@/lib/testing/oracle/dimensions";
import type { Fact, RawEvent } from "@/lib/testing/oracle/facts";
import { importedWords } from "@/lib/testing/oracle/imported";
import { rowsBy } from "@/lib/testing/oracle/metrics";
import { type Asked, filtersOf, type Known, type Selection, select } from "@/lib/testing/oracle/query";

/** Which values may be typed: every word that was ever sent, with the visitors who have it. */

export interface AskedOptions extends Asked {
  field: string;
  q?: string;
  search?: string;
  limit?: number;
}

interface Option {
  value: string;
  visitors: number | null;
}

const DEFAULT_ROWS = 20;

export function options(asked: AskedOptions, known: Known): object {
  const { scope } = select(asked, known);
  const parts = [asked.q ?? "", asked.search ?? ""].map((part) => part.toLowerCase());
  const fitting = valuesFor(asked, scope).filter(({ value }) =>
    parts.every((part) => value.toLowerCase().includes(part)),
  );
  const limit = asked.limit ?? DEFAULT_ROWS;
  return settled(asked.field, fitting.slice(0, limit), fitting.length > limit);
}

/**
 * The order of properties is known by when they were last sent. Which of several words with as many visitors is newer than the others is
 * the dictionary's to say: they are told in an order of their own, and where some of them are left out, without their words.
 */
export function settled(field: string, rows: readonly Option[], truncated: boolean): object {
  if (/^prop/.test(field)) return { rows, truncated };
  const visitors = rows.map((row) => row.visitors);
  const last = visitors.at(-1);
  const texts = rows.map((row) =>
    truncated && row.visitors === last ? "one of equals" : JSON.stringify([row.value, row.visitors]),
  );
  return { visitors, rows: texts.sort(), truncated };
}

function valuesFor(asked: AskedOptions, scope: Selection): Option[] {
  const { field } = asked;
  if (field === "goal") return scope.known.goals.map(({ name }) => ({ value: name, visitors: null }));
  if (field === "prop") return inProps(scope, ({ props }) => Object.keys(props ?? {}));
  if (field.startsWith("prop:")) {
    return inProps(scope, ({ props }) => {
      const value = props?.[field.slice(5)];
      return value === undefined || value === null || value === "" ? [] : [`${value}`];
    });
  }
  const key = field as DimensionKey;
  const counted = new Map(rowsBy(scope, [key]).map(({ values: [value], numbers }) => [value, numbers.visitors ?? 0]));
  const narrowed = filtersOf(asked).some((filters) => Object.keys(filters).length > 0);
  const sent = scope.known.events.flatMap((event) => wordsIn(event, key, scope.titles));
  // The classes of traffic are known without anything being sent.
  const all = [...sent, ...importedWords(scope.known, key)];
  const words = key === "traffic" ? Object.keys(TRAFFIC_CLASSES) : [...new Set(all)].filter((word) => word !== "");
  const rows = words.map((value) => ({ value, visitors: counted.get(value) ?? 0 }));
  return ranked(
    rows.filter(({ visitors }) => visitors > 0 || !narrowed),
    ({ visitors }) => [visitors],
    ({ value }) => [value],
  );
}

/** What occurs in the properties of the events, most visitors first, then what came last. */
function inProps({ facts, range }: Selection, textsOf: (fact: Fact) => string[]): Option[] {
  const rows = [...new Set(facts.flatMap(textsOf))].map((value) => {
    const those = facts.filter((fact) => textsOf(fact).includes(value));
    return { value, visitors: visitorsOf(those, range.zone), latest: Math.max(...those.map(({ at }) => at)) };
  });
  const sorted = ranked(
    rows,
    ({ visitors, latest }) => [visitors, latest],
    ({ value }) => [value],
  );
  return sorted.map(({ latest: _, ...row }) => row);
}

/**
 * The words that an event brings with it, whether or not its visit takes them over.
 *
 * @param titles of each page the one that is kept, which is the first.
 */
function wordsIn(
  { page, referrer, campaign, place, agent, name, traffic }: RawEvent,
  key: DimensionKey,
  titles: Selection["titles"],
): string[] {
  switch (key) {
    case "traffic":
      return [traffic];
    case "page":
    case "entry_page":
    case "exit_page":
      return page ? [page.path] : [];
    case "hostname":
      return page ? [page.hostname] : [];
    case "title":
      return page ? [titles.get(pageKey(page)) ?? ""] : [];
    case "source":
    case "channel":
      return [referrer[key]];
    case "referrer":
      return [referrer.url];
    case "utm_source":
    case "utm_medium":
    case "utm_campaign":
    case "utm_term":
    case "utm_content":
      return campaign ? [campaign[key.slice(4) as keyof typeof campaign]] : [];
    case "country":
    case "region":
    case "city":
    case "language":
      return [place[key]];
    case "event":
      // The dictionary of names holds those of experiments too.
      return name === null ? [] : [name];
    default:
      return [agent[key]];
  }
}
