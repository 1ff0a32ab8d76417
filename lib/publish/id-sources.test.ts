import { expect, test } from "vitest";
import { OPERATIONS } from "@/lib/operations/index";
import { ID_SOURCES, idSourceOf } from "@/lib/publish/id-sources";
import { type Named, resolve, type Schema, schemaOf, withoutNull } from "@/lib/publish/schemas";

const TAKEN = /(^|_)ids?$|^(segment|dashboard|funnel|cursor|since|source)$/;

test.each([...OPERATIONS.values()])("each id that $id takes has an operation that returns it", (op) => {
  const ids = Object.keys(op.input.shape).filter((name) => TAKEN.test(name));
  expect(ids.filter((name) => idSourceOf(op, name) === undefined)).toEqual([]);
});

test.each(ID_SOURCES)("$from returns $path", ({ from, path }) => {
  const op = OPERATIONS.get(from);
  const named: Named = new Map();
  let schema: Schema | undefined = op && schemaOf(op.output, "output", named);
  for (const part of path.split(".")) {
    const property = schema && resolve(schema, named).properties?.[part.replace("[]", "")];
    const plain = property ? resolve(withoutNull(property as Schema).schema, named) : undefined;
    schema = part.endsWith("[]") ? (plain?.items as Schema | undefined) : plain;
  }
  expect(schema).toBeDefined();
});
