import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Filter,
  isChosen,
  oppositeOf,
  readFilters,
  replaced,
  sentOf,
  tidy,
  toggled,
  writeFilters,
} from "@/components/reports/filters";
import * as conditions from "@/lib/analytics/conditions";
import { DIMENSIONS } from "@/lib/analytics/dimensions";

const someKey = fc.oneof(
  fc.constantFrom(...Object.keys(DIMENSIONS)),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).map((name) => `prop:${name}`),
);
const someFilters: fc.Arbitrary<Filter[]> = fc
  .array(
    fc.record({
      key: someKey,
      operator: fc.constantFrom(...Object.keys(conditions.OPERATORS)),
      values: fc.array(fc.string({ unit: "grapheme", minLength: 1 }), { minLength: 1, maxLength: 4 }),
    }),
    { maxLength: 8 },
  )
  .map(tidy);

/** An address as the page gets it, after a browser has sent it. */
const asked = (filters: string | null) => {
  const query = new URLSearchParams(filters === null ? [] : [["filters", filters]]);
  return Object.fromEntries(new URL(`http://here/?${query}`).searchParams);
};

describe("filters in an address", () => {
  test("what is written is read again, whatever the filters", () => {
    fc.assert(
      fc.property(someFilters, (filters) => {
        expect(readFilters(asked(writeFilters(filters)))).toEqual(filters);
      }),
    );
  });

  test("the operations understand by them what the page shows", () => {
    fc.assert(
      fc.property(someFilters, (filters) => {
        const understood = conditions.readFilters(sentOf(filters));
        expect(understood.map(({ key, operator, values }) => ({ key, operator, values }))).toEqual(filters);
      }),
    );
  });

  test("brackets are read as the same filters", () => {
    const read = readFilters({
      "filters[country][]": ["DE", "FR"],
      "filters[page][contains]": "/blog",
      "filters[page][is_not][]": "/blog/a",
    });
    expect(read).toEqual([
      { key: "country", operator: "is", values: ["DE", "FR"] },
      { key: "page", operator: "contains", values: ["/blog"] },
      { key: "page", operator: "is_not", values: ["/blog/a"] },
    ]);
  });

  test("none are none, and what is no filter is told from that", () => {
    for (const none of [{}, { filters: "" }, { filters: "null" }, { filters: "{}" }]) {
      expect(readFilters(none)).toEqual([]);
    }
    const broken = ["{", "7", '"DE"', '["DE"]', '{"country":{"is":{"a":1}}}', '{"country":[["DE"]]}'];
    for (const filters of broken) expect(readFilters({ filters }), filters).toBeNull();
    expect(readFilters({ filters: ["{}", "{}"] })).toBeNull();
    expect(readFilters({ filters: "{}", "filters[country]": "DE" })).toBeNull();
    expect(readFilters({ "filters[country": "DE" })).toBeNull();
  });
});

describe("a row that is pressed", () => {
  test("is chosen, and pressed again is not: the filters are what they were", () => {
    fc.assert(
      fc.property(someFilters, someKey, fc.string(), (filters, key, value) => {
        fc.pre(!filters.some((one) => one.key === key && one.values.includes(value)));
        const chosen = toggled(filters, key, value);
        expect(isChosen(chosen, key, value)).toBe(true);
        expect(writeFilters(toggled(chosen, key, value))).toBe(writeFilters(filters));
      }),
    );
  });

  test("stands beside other values of its dimension, and not against itself", () => {
    const german = toggled([], "country", "DE");
    expect(sentOf(toggled(german, "country", "FR"))).toEqual({ country: ["DE", "FR"] });
    const other = [{ key: "country", operator: "is_not", values: ["DE", "FR"] }];
    expect(sentOf(toggled(other, "country", "FR"))).toEqual({ country: { is_not: "DE", is: "FR" } });
    expect(sentOf(toggled([], "source", ""))).toEqual({ source: "" });
  });
});

describe("a filter that is turned round", () => {
  test("says the contrary, and turned again what it said", () => {
    fc.assert(
      fc.property(someFilters, (filters) => {
        for (const filter of filters) {
          const opposite = oppositeOf(filter);
          if (opposite) expect(oppositeOf(opposite)).toEqual(filter);
          expect(opposite === null).toBe(["starts_with", "matches"].includes(filter.operator));
        }
      }),
    );
    expect(oppositeOf({ key: "goal:Signup", operator: "is", values: ["yes"] })?.values).toEqual(["no"]);
  });

  test("joins what says the same already", () => {
    const [is, isNot] = [
      { key: "country", operator: "is", values: ["DE"] },
      { key: "country", operator: "is_not", values: ["FR"] },
    ];
    expect(sentOf(replaced([is, isNot], is, { ...is, operator: "is_not" }))).toEqual({
      country: { is_not: ["DE", "FR"] },
    });
  });
});
