import { expect, test } from "vitest";
import { OPERATIONS } from "@/lib/operations/index";
import { DAY_MS } from "@/lib/platform/durations";
import { ENDPOINTS } from "@/lib/publish/endpoints";
import { answerOf } from "@/lib/publish/reference";

/** Laws that hold for every example answer: what its numbers, times and states say of each other and of the call. */

type Fields = Readonly<Record<string, unknown>>;
interface Answer {
  id: string;
  input: Fields;
  data: Fields;
}

const ANSWERS: Answer[] = [...OPERATIONS.values()].map((op) => ({
  id: op.id,
  input: op.example,
  data: JSON.parse(answerOf(op)).data,
}));
const byId = (id: string): Answer => ANSWERS.find((answer) => answer.id === id) as Answer;

interface Part {
  /** Where it is, such as `analytics.funnels funnels.steps`. */
  place: string;
  fields: Fields;
  /** The object around it. */
  around: Fields;
}

/** Every object within an answer, from the outside in. */
function partsOf(value: unknown, place: string, around: Fields = {}): Part[] {
  if (Array.isArray(value)) return value.flatMap((item) => partsOf(item, place, around));
  if (typeof value !== "object" || value === null) return [];
  const fields = value as Fields;
  return [
    { place, fields, around },
    ...Object.entries(fields).flatMap(([key, inner]) => partsOf(inner, `${place}.${key}`, fields)),
  ];
}

/** Changes are shares of earlier values, by the names of counts. */
const PARTS = ANSWERS.flatMap(({ id, data }) => partsOf(data, id)).filter(({ place }) => !place.endsWith(".change"));

/** The faults that a law finds in all parts: it yields texts that should be equal or comparisons that should hold. */
const faultsOf = (law: (part: Part) => (string | false | null | undefined)[]): string[] =>
  PARTS.flatMap((part) => law(part).flatMap((fault) => (fault ? [`${part.place}: ${fault}`] : [])));

const amountOf = (value: unknown): number | null => {
  const amount = typeof value === "object" && value !== null ? (value as { amount?: unknown }).amount : value;
  const number = typeof amount === "string" && /^-?\d+(\.\d+)?$/.test(amount) ? Number(amount) : amount;
  return typeof number === "number" ? number : null;
};
const rounded = (value: number) => Math.round(value * 100) / 100;

/** Says so when a rate is not its parts divided by the whole, to two digits. Unknown ones are left out. */
function ratioFault(name: string, rate: unknown, part: unknown, whole: unknown): string | null {
  const [is, above, below] = [amountOf(rate), amountOf(part), amountOf(whole)];
  if (is === null || above === null || !below) return null;
  const should = above / below;
  // A half may round either way.
  return Math.abs(is - should) <= 0.0051 ? null : `${name} is ${is}, not ${above} / ${below} = ${rounded(should)}`;
}

test.each(ANSWERS)("$id: its example answer is one that the operation may give", ({ id, data }) => {
  const { error } = OPERATIONS.get(id)?.output.safeParse(data) ?? {};
  expect(error?.issues).toBeUndefined();
});

/** Rates with the part and the whole that they are named after, where both are beside them. */
const RATES = [
  ["conversion_rate", "converted", "entered"],
  ["conversion_rate", "converters", "visitors"],
  ["conversion_rate", "buyers", "visitors"],
  ["conversion_rate", "conversions", "searches"],
  ["exit_rate", "exits", "searches"],
  ["rate", "converted", "exposed"],
  ["ctr", "clicks", "impressions"],
  ["views_per_visit", "pageviews", "visits"],
  ["average_order_value", "order_revenue", "orders"],
] as const;

test("a rate is its part divided by its whole, to two digits", () => {
  const faults = faultsOf(({ place, fields, around }) => [
    ...RATES.map(([rate, part, whole]) => ratioFault(rate, fields[rate], fields[part], fields[whole])),
    place.startsWith("analytics.seo") &&
      ratioFault("conversion_rate", fields.conversion_rate, fields.conversions, fields.visits),
    place.startsWith("analytics.events") &&
      ratioFault("conversion_rate", fields.conversion_rate, fields.visitors, byId("analytics.events").data.visitors),
    place.endsWith("cohorts.cells") && ratioFault("rate", fields.rate, fields.visitors, around.visitors),
  ]);
  expect(faults).toEqual([]);
});

test("a step of a funnel has the shares and the drop-off of its visitors", () => {
  const faults = faultsOf(({ fields }) => {
    const steps = (fields.steps ?? fields.funnel) as Fields[] | undefined;
    if (!Array.isArray(steps) || typeof steps[0]?.visitors !== "number") return [];
    const first = steps[0].visitors;
    const last = steps.at(-1)?.visitors;
    return [
      "entered" in fields && fields.entered !== first && `entered is not the first step's ${first}`,
      "converted" in fields && fields.converted !== last && `converted is not the last step's ${last}`,
      ...steps.flatMap((step, index) => {
        const before = steps[index - 1]?.visitors ?? null;
        const fromPrevious = step.conversion_from_previous ?? step.from_previous ?? null;
        const lost = (before as number) - (step.visitors as number);
        return [
          ratioFault("from first", step.conversion_from_first ?? step.from_first, step.visitors, first),
          ratioFault("from previous", fromPrevious, step.visitors, before),
          index === 0 && fromPrevious !== null && "the first step has a previous one",
          index > 0 && lost < 0 && `step ${index} has more visitors than the one before`,
          index > 0 && "drop_off" in step && step.drop_off !== lost && `drop_off of step ${index} is not ${lost}`,
          index > 0 && ratioFault("drop_off_rate", step.drop_off_rate, lost, before),
        ];
      }),
    ];
  });
  expect(faults).toEqual([]);
});

test("a change is the difference of the values shown, as a share of the earlier one", () => {
  const faults = faultsOf(({ fields: { change, metrics, previous } }) => {
    if (!change || !previous) return [];
    const [now, before] = [metrics as Fields, previous as Fields];
    return Object.entries(change).map(([name, value]) =>
      ratioFault(`change.${name}`, value, (now[name] as number) - (before[name] as number), before[name]),
    );
  });
  expect(faults).toEqual([]);
});

/** Counts that are parts of others, each as `part` and `whole` of the same object. */
const WITHIN = [
  ...(["converted", "exposed"] as const).map((part) => [part, "entered"] as const),
  ["converted", "exposed"],
  ["converters", "visitors"],
  ["converters", "conversions"],
  ["buyers", "orders"],
  ["buyers", "visitors"],
  ["exits", "searches"],
  ["zero_results", "searches"],
  ["visits", "pageviews"],
  ["visitors", "visits"],
  ["visitors", "count"],
  ["of_other_orders", "orders"],
  ["good", "samples"],
  ["p50", "p75"],
  ["p75", "p90"],
  ["p90", "p99"],
  ["low", "high"],
  ["samples", "views"],
  ["used", "limit"],
  ["per_operation_and_site", "limit"],
] as const;
/** Counts whose values in the lists of a report are parts of the value beside the list. */
const LISTED = ["visitors", "visits", "count", "searches", "orders", "exposed", "conversions", "events"];

test("no part is more than its whole", () => {
  const faults = faultsOf(({ fields }) => [
    ...WITHIN.map(([part, whole]) => {
      const [less, more] = [amountOf(fields[part]), amountOf(fields[whole])];
      return less !== null && more !== null && less > more && `${part} ${less} is more than ${whole} ${more}`;
    }),
    ...Object.entries(fields).flatMap(([list, items]) =>
      Array.isArray(items)
        ? LISTED.map((name) => {
            const whole = amountOf(fields[name]);
            const most = Math.max(...items.map((item) => amountOf((item as Fields | null)?.[name]) ?? 0));
            return whole !== null && most > whole && `${list}.${name} ${most} is more than ${name} ${whole}`;
          })
        : [],
    ),
  ]);
  const overview = byId("analytics.overview").data as { metrics: Fields; panels: Record<string, Fields[]> };
  for (const [panel, rows] of Object.entries(overview.panels))
    for (const row of rows)
      if ((row.visitors as number) > (overview.metrics.visitors as number)) faults.push(`overview ${panel}`);
  expect(faults).toEqual([]);
});

test("sums are those of their parts: net, totals of buckets, shares of vitals, variants, counts of pages", () => {
  const faults = faultsOf(({ fields }) => {
    const [revenue, refunds, net] = [fields.revenue, fields.refunds, fields.net].map(amountOf);
    const [orders, other] = [fields.order_revenue, fields.other_revenue].map(amountOf);
    const { good, needs_improvement, poor, variants, buckets, metrics } = fields as Record<string, never>;
    const shares = [good, needs_improvement, poor].map(amountOf);
    const sumOf = (rows: Fields[], name: string) => rows.reduce((sum, row) => sum + (row[name] as number), 0);
    return [
      revenue != null && refunds != null && net != null && revenue - refunds !== net && "net is not revenue - refunds",
      revenue != null && orders != null && other != null && orders + other !== revenue && "revenue is not its parts",
      shares.every((share) => share !== null) &&
        rounded(shares.reduce<number>((sum, share) => sum + (share ?? 0), 0)) !== 1 &&
        "the shares are not 1",
      "exposed" in fields && variants && sumOf(variants, "exposed") !== fields.exposed && "exposed is not its variants",
      ...(buckets && metrics
        ? ["visitors", "visits", "pageviews", "events"].map(
            (name) => sumOf(buckets, name) !== metrics[name] && `${name} is not the sum of the buckets`,
          )
        : []),
    ];
  });
  expect(faults).toEqual([]);
});

test("money has the decimals of its currency, and what is unconverted is in another currency", () => {
  const faults = faultsOf(({ place, fields: { amount, currency, revenue } }) => {
    if (typeof currency !== "string" || currency.length !== 3) return [];
    const { maximumFractionDigits } = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions();
    const isPrecise = (value: unknown) =>
      typeof value !== "string" || (value.split(".")[1] ?? "").length === maximumFractionDigits;
    const isOwn = currency === "EUR" && /\.(unconverted|rates|currencies)$/.test(place);
    return [
      !(isPrecise(amount) && isPrecise(revenue)) && `${amount ?? revenue} ${currency}`,
      isOwn && "is in the reporting currency",
    ];
  });
  expect(faults).toEqual([]);
});

/** Times that follow each other, where both are known. */
const ORDER = [
  ["created_at", "updated_at"],
  ["created_at", "expires_at"],
  ["created_at", "ended_at"],
  ["created_at", "last_used_at"],
  ["created_at", "delivered_at"],
  ["started_at", "ends_at"],
  ["started_at", "stopped_at"],
  ["stopped_at", "ends_at"],
  ["stopped_at", "kept_until"],
  ["requested_at", "decided_at"],
  ["requested_at", "expires_at"],
  ["since", "expires_at"],
  ["visit_started", "time"],
  ["from", "to"],
  ["start", "end"],
  ["ended_at", "expires_at"],
] as const;

test("times are in order, ranges have the days that they name, and buckets lie in their range", () => {
  const faults = faultsOf(({ fields }) => [
    ...ORDER.map(([first, then]) => {
      const [before, after] = [fields[first], fields[then]];
      if (typeof before !== "string" || typeof after !== "string" || !/^\d{4}-/.test(before)) return null;
      return before > after && `${first} ${before} is after ${then} ${after}`;
    }),
    typeof fields.days === "number" &&
      typeof fields.from === "string" &&
      (Date.parse(`${fields.to}`) - Date.parse(fields.from)) / DAY_MS + 1 !== fields.days &&
      `${fields.from} to ${fields.to} are not ${fields.days} days`,
  ]);
  for (const { id, input, data } of ANSWERS) {
    const meta = data.meta as (Fields & { from: string; to: string; compare: Fields | null }) | undefined;
    if (!meta) continue;
    const days = (Date.parse(meta.to) - Date.parse(meta.from)) / DAY_MS + 1;
    const named = /^(\d+)d$/.exec(`${input.period}`)?.[1];
    if (named && days !== Number(named)) faults.push(`${id}: ${input.period} has ${days} days`);
    if (meta.partial !== (meta.to === "2026-11-20")) faults.push(`${id}: partial`);
    if (meta.compare && `${meta.compare.to}` >= meta.from) faults.push(`${id}: compares with a part of itself`);
    if ((meta.compare === null) !== !input.compare) faults.push(`${id}: compare`);
    for (const list of [data.series, data.buckets] as (Fields[] | undefined)[])
      for (const { label } of list ?? [])
        if (`${label}` < meta.from || `${label}` > meta.to) faults.push(`${id}: ${label} is outside its range`);
  }
  expect(faults).toEqual([]);
});

test("a state fits what is said beside it", () => {
  const faults = faultsOf(({ fields }) => {
    const { running, status, ended_at, findings, seconds_left, stopped_at, decided_at, missing, enough_data } = fields;
    const severities = ((findings ?? []) as Fields[]).map(({ severity }) => severity);
    return [
      "running" in fields && "ended_at" in fields && running !== (ended_at === null) && `running with end ${ended_at}`,
      ["queued", "fetching", "waiting", "passed"].includes(`${status}`) &&
        severities.includes("error") &&
        `${status} with an error`,
      typeof running === "boolean" &&
        ["waiting", "queued"].includes(`${status}`) !== running &&
        `${status} with ${running}`,
      "seconds_left" in fields &&
        (status === "running") !== (seconds_left !== 0) &&
        `${status}, ${seconds_left} s left`,
      status === "running" && stopped_at != null && "running and stopped",
      status === "pending" && decided_at != null && "pending and decided",
      status === "approved" && decided_at == null && "approved by nobody",
      "enough_data" in fields &&
        Array.isArray(missing) &&
        enough_data !== (missing.length === 0) &&
        "enough data, and something is missing",
    ];
  });
  expect(faults).toEqual([]);
});

/** Fields of a call whose answer has another meaning by that name. */
const RENAMED: Readonly<Record<string, readonly string[]>> = {
  // The new key has an id of its own.
  "sites.keys.rotate": ["key_id"],
  // The primary domain stays.
  "sites.domains.add": ["domain"],
};

test("what a call names, its answer names alike", () => {
  const faults = ANSWERS.flatMap(({ id, input, data }) =>
    Object.entries(input).flatMap(([name, sent]) => {
      const got = data[name];
      const isPlain = ["string", "number", "boolean"].includes(typeof sent) && typeof got === typeof sent;
      return isPlain && got !== sent && !RENAMED[id]?.includes(name) ? [`${id} ${name}: ${sent} became ${got}`] : [];
    }),
  );
  expect(faults).toEqual([]);
  const domainsOf = (id: string) =>
    (byId(id).data.domains as Fields[]).map(({ domain_id, domain }) => [domain_id, domain]);
  const { domain_id } = byId("sites.domains.delete").input;
  expect(domainsOf("sites.domains.add").map(([, domain]) => domain)).toContain("shop.example.com");
  expect(domainsOf("sites.domains.primary").map(([id]) => id)).toContain(2);
  expect(domainsOf("sites.domains.delete").map(([id]) => id)).not.toContain(domain_id);
  expect(byId("sites.keys.rotate").data.previous_key_id).toBe(byId("sites.keys.rotate").input.key_id);
  expect(byId("sites.webhooks.set").data.host).toBe(new URL(`${byId("sites.webhooks.set").input.url}`).host);
  expect(byId("sites.monitoring").data.monitoring).toBe(byId("sites.monitoring").input.enabled);
});

test("each site in an example is named by its primary domain", () => {
  const faults = faultsOf(({ fields: { domain, domains } }) => {
    if (typeof domain !== "string" || !Array.isArray(domains)) return [];
    const primary = (domains as Fields[]).filter((one) => one.primary).map((one) => one.domain);
    return [primary.join() !== domain && `${domain} has the primary domain ${primary}`];
  });
  expect(faults).toEqual([]);
});

/** What is returned at its creation only, and how it begins. */
const SECRETS = [
  ["sites.keys.create", "key", /^ffk_\w{20,}$/],
  ["sites.keys.rotate", "key", /^ffk_\w{20,}$/],
  ["sites.webhooks.set", "secret", /^whsec_/],
  ["sites.webhooks.rotate", "secret", /^whsec_/],
  ["sites.proxy.update", "signing_key", /^ffs_\w{20,}$/],
] as const;

test.each(SECRETS)("%s shows its new %s, and says for how long a repeated call returns it", (id, field, form) => {
  expect(byId(id).data[field]).toMatch(form);
  expect(OPERATIONS.get(id)?.about).toContain("72 hours");
  expect(OPERATIONS.get(id)?.about).not.toMatch(/only (once|this time)/);
});

test("a listed key has the hint that ends the created one, and proofs are where the product looks for them", () => {
  const [listed] = byId("sites.keys.list").data.keys as Fields[];
  expect(`${byId("sites.keys.create").data.key}`.slice(-4)).toBe(listed?.hint);
  const places = PARTS.filter(({ fields }) => "meta_tag" in fields);
  expect(places.length).toBeGreaterThan(1);
  for (const { fields } of places) {
    expect(fields.file_url).toBe("https://example.com/.well-known/footfall-verification.txt");
    expect(fields.meta_tag).toBe(`<meta name="footfall-verification" content="${fields.value}">`);
  }
});

/** The example that an endpoint is sent, and its answer by status. */
function exchanged(id: string): { sent: Fields; answered: Record<number, Fields> } {
  const { example, answers } = ENDPOINTS.find((one) => one.id === id) as (typeof ENDPOINTS)[number];
  const answered = Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, answer.example]));
  return { sent: example ?? {}, answered };
}

test("endpoints answer what their examples send: each event of a batch, the scopes, and a new client after a recovery", () => {
  const batch = exchanged("events.send");
  expect(batch.answered[200]?.results).toHaveLength((batch.sent.events as unknown[]).length);
  for (const { results, counts } of Object.values(batch.answered))
    for (const [status, count] of Object.entries(counts as Record<string, number>))
      expect((results as Fields[]).filter((row) => row.status === status)).toHaveLength(count);
  for (const [id, status, asked, given] of [
    ["event.send", 202, "event_id", "event_id"],
    ["identity.challenges", 201, "domain", "domain"],
    ["identity.registrations", 201, "scopes", "scopes"],
    ["identity.delegations", 201, "scopes", "requested_scopes"],
    ["oauth.token", 200, "scope", "scope"],
  ] as const) {
    const { sent, answered } = exchanged(id);
    expect(answered[status]?.[given], id).toEqual(sent[asked]);
  }
  const { sent, answered } = exchanged("identity.recoveries");
  expect(answered[201]?.client_id).not.toBe(sent.client_id);
});
