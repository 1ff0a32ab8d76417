import { expect, test } from "vitest";
import { z } from "zod";
import { decodeQuery } from "@/lib/api/decode";
import { defineOperation } from "@/lib/contract/define";
import { Refusal } from "@/lib/platform/errors";

const operation = defineOperation({
  id: "test.read",
  title: "Read",
  about: "Takes every kind of parameter.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({
    site_id: z.int(),
    exact: z.boolean().nullish(),
    q: z.string().nullish(),
    sort: z.string().nullish(),
    period: z.enum(["7d"]).nullish(),
    field: z.string().optional(),
    filters: z.record(z.string(), z.unknown()).nullish(),
  }),
  output: z.object({}),
  example: { site_id: 1 },
  run: async () => ({}),
});
const decode = (query: string) => JSON.parse(JSON.stringify(decodeQuery(operation, new URLSearchParams(query))));
const refusal = (query: string): string | null => {
  try {
    decode(query);
    return null;
  } catch (error) {
    return error instanceof Refusal ? error.code : `${error}`;
  }
};

test("numbers, booleans, text and empty values are decoded by the schema", () => {
  expect(decode("site_id=7&exact=true&q=7")).toEqual({ site_id: 7, exact: true, q: "7" });
  expect(decode("site_id=007&exact=yes&q=")).toEqual({ site_id: "007", exact: "yes", q: null });
});

test("the word null means absent for nullable parameters, also for free text", () => {
  expect(decode("site_id=null&exact=null&sort=null&period=null&filters=null")).toEqual({
    site_id: "null",
    exact: null,
    sort: null,
    period: null,
    filters: null,
  });
  expect(decode("q=null&field=null&filters[country]=null")).toEqual({
    q: null,
    field: "null",
    filters: { country: "null" },
  });
});

test("filters are accepted as JSON or with brackets, nested and as lists", () => {
  const filters = { country: "FR", page: { contains: "blog" }, source: ["Google", "Bing"] };
  expect(decode(`site_id=1&filters=${encodeURIComponent(JSON.stringify(filters))}`).filters).toEqual(filters);
  const brackets = "filters[country]=FR&filters[page][contains]=blog&filters[source][]=Google&filters[source][]=Bing";
  expect(decode(`site_id=1&${brackets}`).filters).toEqual(filters);
});

test("no parameter name can pollute a prototype", () => {
  for (const query of [
    "filters={}&filters[__proto__][polluted]=yes",
    "filters[__proto__][polluted]=yes",
    "filters[constructor][prototype][polluted]=yes",
    "__proto__[polluted]=yes",
    "filters=%7B%22__proto__%22%3A%7B%22polluted%22%3A%22yes%22%7D%7D",
  ]) {
    refusal(query);
    expect(({} as { polluted?: string }).polluted, query).toBeUndefined();
  }
});

test("repeated and contradictory parameters are refused", () => {
  for (const query of [
    "site_id=1&site_id=2",
    "filters={}&filters[a]=1",
    "filters[a]=1&filters={}",
    "filters[a]=1&filters[a]=2",
    "filters[a]=1&filters[a][b]=2",
    "filters[a][]=1&filters[a][b]=2",
  ]) {
    expect(refusal(query), query).toBe("invalid_input");
  }
});
