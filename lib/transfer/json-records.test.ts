import { expect, test } from "vitest";
import { jsonRecords } from "@/lib/transfer/json-records";

async function recordsOf(text: string, size = text.length): Promise<unknown[]> {
  const records: unknown[] = [];
  const chunks = (async function* () {
    for (let from = 0; from < text.length; from += size) yield text.slice(from, from + size);
  })();
  for await (const record of jsonRecords(chunks, "a.json")) records.push(JSON.parse(record.text));
  return records;
}

const FORMS: readonly [text: string, records: unknown[]][] = [
  ['[{"a":1,"b":{"c":[1,{"d":2}]}},\n {"a":"]}\\"\\\\"}]', [{ a: 1, b: { c: [1, { d: 2 }] } }, { a: ']}"\\' }]],
  [
    '{"2024-01-01":[{"a":1},{"a":2}],"2024-01-02":[],"2024-01-03":{"a":3},"2024-01-04":{}}',
    [{ a: 1, date: "2024-01-01" }, { a: 2, date: "2024-01-01" }, { a: 3, date: "2024-01-03" }, { date: "2024-01-04" }],
  ],
  ['\ufeff {"a": -1.5e3, "b": null, "c": [1, 2], "d": true}\n', [{ a: -1500, b: null, c: [1, 2], d: true }]],
  ['{"a":1}\n{"a":2}\n', [{ a: 1 }, { a: 2 }]],
  ["[]", []],
  ["{}", []],
];

test("JSON is split into the records that a parser finds in it, wherever its text is cut", async () => {
  for (const [text, records] of FORMS)
    for (const size of [1, 2, 3, 7, text.length])
      expect([text, size, await recordsOf(text, size)]).toEqual([text, size, records]);
});

test("what is no list of records, is cut off or nested without end is refused by the name of its file", async () => {
  const broken = [
    "[1,2]",
    '[{"a":1}',
    '[{"a":1}]]',
    '{"a"}',
    '[{"a":1]}',
    '{"2024-01-01":5',
    "[[]]",
    "{1:2}",
    '[{"a":1}] x',
  ];
  for (const text of [
    ...broken,
    "[".repeat(100_000),
    `[{"a":${"[".repeat(100_000)}`,
    `[{"a":"${"x".repeat(2_000_000)}"}]`,
  ])
    await expect(recordsOf(text), text.slice(0, 40)).rejects.toThrow(/^a\.json (is|has|goes) /);
});

test("a date whose records a file has twice, in one object or in two, is refused instead of counted twice", async () => {
  for (const text of [
    '{"2024-01-01":[{"a":1}],"2024-01-02":[],"2024-01-01":[{"a":1}]}',
    '{"2024-01-01":{"a":1},"2024-01-0\\u0031":{"a":1}}',
    '{"2024-01-01":[{"a":1}]}\n{"2024-01-01":[{"a":1}]}',
  ])
    for (const size of [1, text.length])
      await expect(recordsOf(text, size), text).rejects.toThrow("a.json has 2024-01-01 twice");
  expect(await recordsOf('[{"2024-01-01":1},{"2024-01-01":1}]')).toHaveLength(2);
});

test("an object of many fields is read in linear time", async () => {
  const record = `{${Array.from({ length: 190_000 }, () => '"a":1').join()}}`;
  const began = performance.now();
  expect(await recordsOf(record.repeat(4), 65_536)).toHaveLength(4);
  // In quadratic time it takes a minute.
  expect(performance.now() - began).toBeLessThan(20_000);
});
