import { z } from "zod";
import { TRAFFIC_CLASSES, type TrafficClass } from "@/lib/contract/vocabulary";
import { Fault } from "@/lib/platform/errors";

export type Schema = z.core.JSONSchema.BaseSchema;

/** Schemas by name (`.meta({ id })`). Documents describe each of them once, under `components/schemas`. */
export type Named = Map<string, Schema>;

const SAFE = Number.MAX_SAFE_INTEGER;

/**
 * Returns the JSON Schema (2020-12) of an input or output. Inputs are described as strictly as they are checked. Outputs
 * stay open, because later releases may add fields.
 *
 * @param named gets every schema with a name that occurs in it.
 */
export function schemaOf(type: z.ZodType, io: "input" | "output", named: Named): Schema {
  const {
    $schema: _,
    $defs = {},
    ...root
  } = z.toJSONSchema(type, {
    io,
    unrepresentable: "any",
    override: ({ jsonSchema }) => tidy(jsonSchema, io),
  });
  for (const [name, schema] of Object.entries($defs)) remember(named, name, schema);
  const { id, ...rest } = root;
  if (typeof id !== "string") return relink(root) as Schema;
  remember(named, id, rest);
  return { $ref: `#/components/schemas/${id}` };
}

function remember(named: Named, name: string, { id: _, ...schema }: Schema): void {
  const linked = relink(schema) as Schema;
  const before = named.get(name);
  if (before && JSON.stringify(before) !== JSON.stringify(linked)) {
    throw new Fault(`Two different schemas are called ${name}`);
  }
  named.set(name, linked);
}

/** Removes keywords without information: the bounds of safe integers, the patterns of formats. */
function tidy(schema: Schema, io: "input" | "output"): void {
  if (schema.minimum === -SAFE) delete schema.minimum;
  if (schema.propertyNames && Object.keys(schema.propertyNames).join() === "type") delete schema.propertyNames;
  if (schema.format && schema.format !== "uuid" && schema.format !== "starts_with") delete schema.pattern;
  // A format of zod that JSON Schema does not have. The pattern states the same.
  if (schema.format === "starts_with") delete schema.format;
  if (io === "input") return;
  if (schema.maximum === SAFE) delete schema.maximum;
  if (schema.format) delete schema.pattern;
  if (schema.additionalProperties === false) delete schema.additionalProperties;
}

function relink(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relink);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === "$ref" && typeof item === "string" ? item.replace("#/$defs/", "#/components/schemas/") : relink(item),
    ]),
  );
}

/** Follows a reference to its schema. */
export function resolve(schema: Schema, named: Named): Schema {
  const name = schema.$ref?.split("/").at(-1);
  return (name !== undefined && named.get(name)) || schema;
}

/** The JSON types of a schema. zod writes `["number", "null"]` for a nullable number. */
const typesOf = ({ type }: { type?: unknown }): unknown[] => (Array.isArray(type) ? type : type ? [type] : []);

/** A schema without null, and whether it allowed null. */
export function withoutNull(schema: Schema): { schema: Schema; nullable: boolean } {
  const { anyOf, ...rest } = schema;
  if (!anyOf) {
    const types = typesOf(schema).filter((type) => type !== "null");
    const nullable = types.length < typesOf(schema).length;
    return { schema: nullable ? ({ ...schema, type: types[0] } as Schema) : schema, nullable };
  }
  const choices = anyOf.filter((one) => (one as Schema).type !== "null") as Schema[];
  const nullable = choices.length < anyOf.length;
  const only = choices.length === 1 ? choices[0] : undefined;
  return { schema: only ? { ...only, ...rest } : { ...rest, anyOf: choices }, nullable };
}

/** The properties of an object schema, in order. */
export const propertiesOf = (schema: Schema): [name: string, schema: Schema][] =>
  Object.entries(schema.properties ?? {}).map(([name, one]) => [name, one as Schema]);

/** `class` in the answers to senders of events. */
export const storedClass = z
  .enum(Object.keys(TRAFFIC_CLASSES) as [TrafficClass, ...TrafficClass[]])
  .optional()
  .meta({ description: "Traffic class of a stored event" });
