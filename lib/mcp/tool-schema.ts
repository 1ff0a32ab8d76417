import type { AnyOperation } from "@/lib/contract/define";
import { type Named, propertiesOf, resolve, type Schema, schemaOf, withoutNull } from "@/lib/publish/schemas";

/** Describes inputs to models: the schemas of the registry without what costs tokens and tells them nothing. */

const SAFE = Number.MAX_SAFE_INTEGER;

/** Returns the JSON Schema of an operation's input. What may be null may be left out, so null is not mentioned. */
export function inputSchemaOf(op: AnyOperation): Schema {
  const named: Named = new Map();
  return brief(schemaOf(op.input, "input", named), named);
}

function brief(given: Schema, named: Named): Schema {
  const { schema: resolved } = withoutNull(resolve(given, named));
  const { examples: _, pattern, maximum, propertyNames: __, ...schema } = resolve(resolved, named);
  const { properties, items, anyOf, additionalProperties } = schema;
  return {
    ...schema,
    ...(pattern !== undefined && schema.format === undefined && { pattern }),
    ...(maximum !== undefined && maximum !== SAFE && { maximum }),
    ...(properties && {
      properties: Object.fromEntries(propertiesOf(schema).map(([name, one]) => [name, brief(one, named)])),
    }),
    ...(isSchema(items) && { items: brief(items, named) }),
    ...(anyOf && { anyOf: anyOf.map((one) => (isSchema(one) ? brief(one, named) : one)) }),
    ...(isSchema(additionalProperties) && { additionalProperties: brief(additionalProperties, named) }),
  };
}

export const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Adds parameters of the tool itself to the input of an operation. */
export const withParameters = (schema: Schema, parameters: Record<string, Schema>): Schema => ({
  ...schema,
  properties: { ...schema.properties, ...parameters },
});
