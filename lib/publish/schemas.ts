import { z } from "zod";
import { TRAFFIC_CLASSES, type TrafficClass } from "@/lib/contract/vocabulary";

export type Schema = z.core.JSONSchema.BaseSchema;

/** Schemas with a name (`.meta({ id })`), found on the way; in the document they stand once, under `components`. */
export type Named = Map<string, Schema>;

const SAFE = Number.MAX_SAFE_INTEGER;

/**
 * The JSON Schema (2020-12) of what may be sent (`input`) or is answered (`output`). What is sent is described as
 * strictly as it is checked. An answer is described openly, because a later release may add a field to it.
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
    throw new Error(`Two different schemas are called ${name}`);
  }
  named.set(name, linked);
}

/** Takes away what says nothing: the bounds of every integer, the pattern of every date. */
function tidy(schema: Schema, io: "input" | "output"): void {
  if (schema.minimum === -SAFE) delete schema.minimum;
  if (schema.propertyNames && Object.keys(schema.propertyNames).join() === "type") delete schema.propertyNames;
  if (schema.format && schema.format !== "uuid" && schema.format !== "starts_with") delete schema.pattern;
  // What zod calls a format, and JSON Schema does not know; the pattern says it.
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

/** The schema behind a reference; any other schema is its own. */
export function resolve(schema: Schema, named: Named): Schema {
  const name = schema.$ref?.split("/").at(-1);
  return (name !== undefined && named.get(name)) || schema;
}

/** The JSON types a schema names; zod writes `["number", "null"]` for what may be null. */
const typesOf = ({ type }: { type?: unknown }): unknown[] => (Array.isArray(type) ? type : type ? [type] : []);

/** A schema without its "or null", and whether it had one. */
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

/** `class` of the answers of ingest. */
export const storedClass = z
  .enum(Object.keys(TRAFFIC_CLASSES) as [TrafficClass, ...TrafficClass[]])
  .optional()
  .meta({ description: "Of a stored event: the class of traffic that it counts in" });
