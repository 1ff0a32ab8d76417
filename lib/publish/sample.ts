import { type Named, propertiesOf, resolve, type Schema, withoutNull } from "@/lib/publish/schemas";

/** What a field of this name may look like, where its schema does not say. */
const BY_NAME: Record<string, unknown> = {
  site_id: 1,
  domain_id: 1,
  domain: "example.com",
  name: "Example",
  timezone: "Europe/Berlin",
  reporting_currency: "EUR",
  currency: "EUR",
  from: "2026-11-14",
  to: "2026-11-20",
  start: "2026-11-20T00:00:00Z",
  label: "2026-11-20",
  value: "/pricing",
  role: "owner",
  page: 1,
  per_page: 50,
  total: 1,
  visitors: 128,
  visits: 161,
  pageviews: 402,
  events: 37,
  views_per_visit: 2.5,
  bounce_rate: 0.41,
  visit_duration: 94.2,
  time_on_page: 38.5,
  scroll_depth: 0.62,
  compare: null,
  segment: null,
  dashboard: null,
  version: "0.1.0",
};
const BY_FORMAT: Record<string, string> = {
  "date-time": "2026-11-20T09:30:00Z",
  date: "2026-11-20",
  uuid: "0b7c1f5e-6f0a-4c3e-9b1d-2f4a6c8e0d12",
  uri: "https://example.com/",
};

/**
 * An example of what a schema describes, the same each time: what it gives as an example itself, else what `known`
 * (an operation's own example) or the field's name suggests, if that fits.
 */
export function sample(schema: Schema, named: Named, known: Record<string, unknown> = {}, name = ""): unknown {
  const whole = resolve(schema, named);
  if (Array.isArray(whole.examples)) return whole.examples[0];
  const { schema: inner, nullable } = withoutNull(whole);
  const type = resolve(inner, named);
  for (const guess of [known[name], BY_NAME[name]]) {
    if (guess !== undefined && (fits(type, guess) || (guess === null && nullable))) return guess;
  }
  return plain(type, named, known);
}

function plain(type: Schema, named: Named, known: Record<string, unknown>): unknown {
  if (type.const !== undefined) return type.const;
  if (type.enum) return type.enum[0];
  if (type.anyOf) return sample(type.anyOf[0] as Schema, named, known);
  if (type.type === "object") {
    const required = new Set(type.required);
    const shown = propertiesOf(type).filter(([name]) => required.has(name));
    return Object.fromEntries(shown.map(([name, one]) => [name, sample(one, named, known, name)]));
  }
  if (type.type === "array") return type.items ? [sample(type.items as Schema, named, known)] : [];
  if (type.type === "string") return BY_FORMAT[type.format ?? ""] ?? "text".padEnd(type.minLength ?? 0, "x");
  if (type.type === "integer" || type.type === "number") return Math.max(0, type.minimum ?? 0);
  return type.type === "boolean" ? false : null;
}

function fits(type: Schema, value: unknown): boolean {
  if (type.enum) return type.enum.includes(value as string);
  if (type.const !== undefined) return type.const === value;
  if (type.type === "integer") return Number.isInteger(value);
  if (type.format === "date-time") return typeof value === "string" && value.includes("T");
  return type.type === typeof value && (typeof value !== "string" || value.length <= (type.maxLength ?? Infinity));
}
