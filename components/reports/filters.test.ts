import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  draftOf,
  EMPTY_DRAFT,
  filterOf,
  ofField,
  ofOperator,
  operatorsOf,
  withTyped,
} from "@/components/reports/filter-draft";
import {
  type Filter,
  filtersOfQuery,
  isChosen,
  oppositeOf,
  paramsOf,
  replaced,
  sentOf,
  tidy,
  toggledFilter,
  writeFilters,
} from "@/components/reports/filters";
import * as conditions from "@/lib/analytics/query/conditions";
import { DIMENSIONS, HAS_PATHS } from "@/lib/analytics/query/dimensions";

/** No property has a name without visible characters. */
const someName = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).filter((name) => name.trim() !== "");
const someKey = fc.oneof(
  fc.constantFrom(...Object.keys(DIMENSIONS)),
  someName.map((name) => `prop:${name}`),
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
  .map((filters) => tidy(filters).map(withOnePattern));
const withOnePattern = (filter: Filter): Filter =>
  filter.operator === "matches" ? { ...filter, values: filter.values.slice(0, 1) } : filter;

/** Returns search parameters as a page receives them from a browser. */
const received = (filters: string | null) => {
  const query = new URLSearchParams(filters === null ? [] : [["filters", filters]]);
  return paramsOf(new URL(`http://here/?${query}`).searchParams);
};

describe("filters in a URL", () => {
  test("filtersOfQuery inverts writeFilters", () => {
    fc.assert(
      fc.property(someFilters, (filters) => {
        expect(filtersOfQuery(received(writeFilters(filters)))).toEqual(filters);
      }),
    );
  });

  test("operations parse the sent filters to the same filters", () => {
    fc.assert(
      fc.property(someFilters, (some) => {
        // Addresses and names are understood in their stored spelling (lib/operations/canonical-filters.test.ts).
        const filters = some.filter(
          ({ key }) => !HAS_PATHS.has(key) && !/^(hostname|event|source|country|title|utm_)/.test(key),
        );
        const understood = conditions.readFilters(sentOf(filters));
        expect(understood.map(({ key, operator, values }) => ({ key, operator, values }))).toEqual(filters);
      }),
    );
  });

  test("the bracket notation is read as the same filters", () => {
    const query =
      "filters[country][]=DE&filters[country][]=FR&filters[page][contains]=/blog&filters[page][is_not][]=/blog/a";
    expect(filtersOfQuery(paramsOf(new URLSearchParams(query)))).toEqual([
      { key: "country", operator: "is", values: ["DE", "FR"] },
      { key: "page", operator: "contains", values: ["/blog"] },
      { key: "page", operator: "is_not", values: ["/blog/a"] },
    ]);
  });

  test("no filters are an empty list, and invalid filters are null", () => {
    for (const none of [{}, { filters: "" }, { filters: "null" }, { filters: "{}" }]) {
      expect(filtersOfQuery(none)).toEqual([]);
    }
    const broken = ["{", "7", '"DE"', '["DE"]', '{"country":{"is":{"a":1}}}', '{"country":[["DE"]]}'];
    for (const filters of broken) expect(filtersOfQuery({ filters }), filters).toBeNull();
    expect(filtersOfQuery({ filters: ["{}", "{}"] })).toBeNull();
    expect(filtersOfQuery({ filters: "{}", "filters[country]": "DE" })).toBeNull();
    expect(filtersOfQuery({ "filters[country": "DE" })).toBeNull();
  });
});

describe("toggling a row", () => {
  test("twice restores the filters", () => {
    fc.assert(
      fc.property(someFilters, someKey, fc.string(), (filters, key, value) => {
        fc.pre(!filters.some((one) => one.key === key && one.values.includes(value)));
        const chosen = toggledFilter(filters, key, value);
        expect(isChosen(chosen, key, value)).toBe(true);
        expect(writeFilters(toggledFilter(chosen, key, value))).toBe(writeFilters(filters));
      }),
    );
  });

  test("adds a value to those of its dimension and removes its exclusion", () => {
    const german = toggledFilter([], "country", "DE");
    expect(sentOf(toggledFilter(german, "country", "FR"))).toEqual({ country: ["DE", "FR"] });
    const other = [{ key: "country", operator: "is_not", values: ["DE", "FR"] }];
    expect(sentOf(toggledFilter(other, "country", "FR"))).toEqual({ country: { is_not: "DE", is: "FR" } });
    expect(sentOf(toggledFilter([], "source", ""))).toEqual({ source: "" });
  });
});

describe("an inverted filter", () => {
  test("inverted twice is the same filter", () => {
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

  test("merges with a filter of the same dimension and operator", () => {
    const [is, isNot] = [
      { key: "country", operator: "is", values: ["DE"] },
      { key: "country", operator: "is_not", values: ["FR"] },
    ];
    expect(sentOf(replaced([is, isNot], is, { ...is, operator: "is_not" }))).toEqual({
      country: { is_not: ["DE", "FR"] },
    });
  });
});

describe("the filter dialog", () => {
  test("returns an unedited filter unchanged", () => {
    fc.assert(
      fc.property(someFilters, (filters) => {
        for (const filter of filters) expect(filterOf(draftOf(filter, []))).toEqual(filter);
      }),
    );
    for (const answer of ["yes", "no"]) {
      const filter = { key: "goal:Sign up: now", operator: "is", values: [answer] };
      expect(filterOf(draftOf(filter, []))).toEqual(filter);
    }
  });

  test("offers only filters that operations accept, whatever field was selected before", () => {
    const fields = [...Object.keys(DIMENSIONS), "prop", "goal"];
    for (const [before, after] of fields.flatMap((one) => fields.map((other) => [one, other] as const))) {
      const draft = ofField(
        { field: before, name: "", operator: operatorsOf(before).at(-1)?.value ?? "", chosen: [] },
        after,
      );
      const filter = filterOf({ ...draft, name: "plan", chosen: [{ value: "x", text: "x" }] });
      expect(conditions.readFilters(sentOf(filter ? [filter] : []))).toHaveLength(1);
    }
    expect(filterOf(ofField(EMPTY_DRAFT, "country"))).toBeNull();
  });

  test("offers only the operator `is` on a public dashboard", () => {
    for (const field of Object.keys(DIMENSIONS)) {
      expect(operatorsOf(field, true).map(({ value }) => value)).toEqual(["is"]);
    }
  });

  test("keeps one pattern per dimension: a second one replaces it", () => {
    const first = withTyped({ ...EMPTY_DRAFT, operator: "matches" }, "^/a");
    expect(filterOf(withTyped(first, "^/b"))?.values).toEqual(["^/b"]);
    const two = withTyped(withTyped(EMPTY_DRAFT, "/a"), "/b");
    expect(filterOf(ofOperator(two, "matches"))?.values).toEqual(["/a"]);
    const pattern = (value: string) => ({ key: "page", operator: "matches", values: [value] });
    expect(replaced([pattern("^/a")], null, pattern("^/b"))).toEqual([pattern("^/b")]);
    expect(replaced([pattern("^/a")], pattern("^/a"), pattern("^/b"))).toEqual([pattern("^/b")]);
  });

  test("uses typed text as a value for fields that allow it", () => {
    const typed = (field: string) => filterOf(withTyped(ofField(EMPTY_DRAFT, field), " /blog "));
    expect(typed("page")).toEqual({ key: "page", operator: "is", values: ["/blog"] });
    expect(typed("country")).toBeNull();
    expect(typed("goal")).toBeNull();
    const property = withTyped(ofField(EMPTY_DRAFT, "prop"), "plan");
    expect(filterOf(property)).toBeNull();
    expect(filterOf(withTyped(property, "pro"))).toEqual({ key: "prop:plan", operator: "is", values: ["pro"] });
  });
});
