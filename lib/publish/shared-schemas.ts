import { RISKS, ROLES, SCOPES } from "@/lib/contract/access";
import { METRICS, PERIODS, TRAFFIC, TRAFFIC_CLASSES } from "@/lib/contract/vocabulary";
import type { Named, Schema } from "@/lib/publish/schemas";

/** Gives schemas that occur several times one name, so that documents describe each of them once. */

/** Enums that the vocabulary names. */
const ENUMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Metric: METRICS,
    Period: PERIODS,
    Risk: RISKS,
    Role: ROLES,
    Scope: SCOPES,
    Traffic: TRAFFIC,
    TrafficClass: TRAFFIC_CLASSES,
  }).map(([name, table]) => [JSON.stringify(Object.keys(table)), name]),
);

/** Better names than the place of a schema gives. */
const NAMES: Readonly<Record<string, string>> = {
  AccountCapabilitiesRead: "RateLimit",
  AccountCapabilitiesReports: "ReportLimit",
  AnnotationsDeleteInput: "ItemByNumber",
  DashboardsDeleteInput: "ItemByUuid",
  DomainsPrimaryInput: "DomainOfSite",
  EventSendResultWarning: "Warning",
  EventsSend200: "BatchResults",
  EventsSend200ClientIp: "ClientIp",
  EventsSend200Counts: "BatchCounts",
  EventsSend200Result: "BatchResult",
  EventsSend422: "BatchFailure",
  EventsSendInputCampaign: "EventCampaign",
  EventsSendInputContext: "EventContext",
  ExclusionsAddInputKind: "ExclusionKind",
  FunnelsAdvancedSecondsFromPrevious: "SecondsToConvert",
  Health200: "Health",
  Identity: "VisitorIdentity",
  IdentityRegistrationsResult: "Credentials",
  Kind: "AnnotationKind",
  OauthRevokeInput: "TokenReference",
  ScrubbingAddInputKind: "ScrubbingRuleKind",
  Outcome: "EventOutcome",
  PrivacyGet: "Privacy",
  RatesDelete: "Rate",
  ReportsGet: "EmailReports",
  RetentionGet: "Retention",
  SeoComparisonOrganic: "SeoVisits",
  SettingsGetSegment: "SavedItem",
  Type: "EventType",
};

/** `sites.keys.create` → `SitesKeysCreate`. */
export const pascal = (words: string): string =>
  words.replace(/(?:^|[^a-zA-Z0-9]+)([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase());

const singular = (word: string) => (word.endsWith("ies") ? `${word.slice(0, -3)}y` : word.replace(/([^s])s$/, "$1"));

/** A schema without what each use of one shape may have of its own, as text. */
const keyOf = ({ description: _, examples: __, ...schema }: Schema): string => JSON.stringify(schema);

const isObject = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Worth a name: an object with at least two properties, or an enum with at least three values. */
const isNameable = (schema: Schema): boolean =>
  (schema.type === "object" && Object.keys(schema.properties ?? {}).length > 1) || (schema.enum?.length ?? 0) > 2;

/** Where a schema occurs: the schema with a name that it is in, and the names of the properties that lead to it. */
interface Place {
  root: string;
  path: readonly string[];
}

/**
 * Replaces each schema that occurs in two places by a reference, and adds it under a name of its own.
 *
 * @param named schemas by name. It is changed in place.
 * @param single names of the input or output of one operation: another operation must not refer to them.
 */
export function shareSchemas(named: Named, single: ReadonlySet<string>): void {
  const names = new Map<string, string>();
  for (const [root, schema] of named) {
    if (isNameable(schema) && !single.has(root)) names.set(keyOf(schema), root);
  }
  for (const { schema, place } of repeatedSchemas(named)) {
    if (names.has(keyOf(schema))) continue;
    const name = freeName(schema, place, named);
    names.set(keyOf(schema), name);
    named.set(name, schema);
  }
  for (const [name, schema] of named) named.set(name, linkSchema(schema, names, name));
}

/** Schemas that occur at least twice. What lies inside one that was seen before is not counted again. */
function repeatedSchemas(named: Named): { schema: Schema; place: Place }[] {
  const found = new Map<string, { count: number; schema: Schema; place: Place }>();
  const visit = (schema: Schema, place: Place): void => {
    const known = isNameable(schema) ? found.get(keyOf(schema)) : undefined;
    if (known) {
      known.count++;
      return;
    }
    if (isNameable(schema)) found.set(keyOf(schema), { count: 1, schema, place });
    for (const [property, inner] of innerSchemas(schema)) visit(inner, { ...place, path: [...place.path, property] });
  };
  for (const [root, schema] of named) visit(schema, { root, path: [] });
  return [...found.values()].filter(({ count }) => count > 1);
}

/** The schemas directly within a schema, each with the property that holds it or an empty name. */
function innerSchemas(schema: Schema): [property: string, schema: Schema][] {
  const { properties = {}, items, anyOf = [], oneOf = [], additionalProperties } = schema;
  return [
    ...(Object.entries(properties) as [string, Schema][]),
    ...[...anyOf, ...oneOf, additionalProperties].filter(isObject).map((one): [string, Schema] => ["", one]),
    ...(isObject(items) ? [["[]", items] as [string, Schema]] : []),
  ];
}

function linkSchema(schema: Schema, names: ReadonlyMap<string, string>, own = ""): Schema {
  const name = isNameable(schema) ? names.get(keyOf(schema)) : undefined;
  if (name !== undefined && name !== own) {
    const { description, examples } = schema;
    return { $ref: `#/components/schemas/${name}`, ...(description && { description }), ...(examples && { examples }) };
  }
  const link = (value: unknown) => (isObject(value) ? linkSchema(value, names) : value);
  const { properties, items, anyOf, oneOf, additionalProperties } = schema;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, link(one)])),
    }),
    ...(items !== undefined && { items: link(items) }),
    ...(anyOf && { anyOf: anyOf.map(link) }),
    ...(oneOf && { oneOf: oneOf.map(link) }),
    ...(additionalProperties !== undefined && { additionalProperties: link(additionalProperties) }),
  } as Schema;
}

/** A name from the vocabulary, or from the place: `analytics.vitals` and `pages` of a list give `VitalsPage`. */
function freeName(schema: Schema, { root, path }: Place, named: Named): string {
  const properties = path.filter((part) => part !== "" && part !== "[]");
  const last = properties.at(-1) ?? "";
  const word = pascal(path.at(-1) === "[]" ? singular(last) : last);
  const report = root.replace(/^(Analytics|Sites)/, "");
  const candidates = [
    ...(schema.enum ? [ENUMS.get(JSON.stringify(schema.enum)) ?? word] : []),
    `${report}${word}`,
    `${report}${properties.map(pascal).join("")}`,
  ].map((name) => NAMES[name] ?? name);
  return candidates.find((name) => !named.has(name)) ?? `${candidates.at(-1)}${named.size}`;
}

/** Schemas by name, and the names that belong to a single operation or endpoint. */
export interface Components {
  named: Named;
  single: Set<string>;
}

/** Adds the input or output of one operation under its name, and returns a reference to it. */
export function nameSchema(name: string, schema: Schema, { named, single }: Components): Schema {
  if (schema.$ref) return schema;
  named.set(name, schema);
  single.add(name);
  return { $ref: `#/components/schemas/${name}` };
}
