import { APPROVAL_RATES, DOMAINS_PER_SITE, PENDING_APPROVALS, RATES, SITES_PER_ACCOUNT } from "@/lib/platform/limits";
import { installationFor } from "@/lib/sites/installation";

/**
 * What example answers have of their own, by operation: what follows from the call, and numbers that belong together.
 * Fields that are not named here have the values of their schema and of `SAMPLE_VALUES`.
 */

const SERVICE = "https://stats.example.com";
const money = (amount: string, currency = "EUR") => ({ amount, currency });
const NOTHING = money("0.00");

const PRIMARY = { domain_id: 3, domain: "example.com", primary: true, verified: true };
const SHOP = { domain_id: 2, domain: "shop.example.com", primary: false, verified: false };

const SIGNUP = { name: "Signup", reached_by: { kind: "event", pattern: "Signup" } };
const SIGNING_UP = {
  name: "Signing up",
  steps: [
    { kind: "page", pattern: "/pricing" },
    { kind: "event", pattern: "Signup" },
  ],
};
const FRENCH = { name: "French blog readers", filters: { country: "FR", page: { starts_with: "/blog" } } };
const MORNINGS = {
  ...{ name: "Mornings", filters: { country: "FR" }, period: "7d", from: null, to: null },
  panels: ["metrics", "chart", "pages"],
};
const CHECKOUT = {
  ...{ name: "checkout", goal: "Purchase" },
  variants: [
    { name: "control", weight: 1 },
    { name: "one-page", weight: 1 },
  ],
};
const ADMIN = { kind: "path", pattern: "/admin/**" };

const STARTED = "2026-11-20T09:30:00Z";
const REQUEST = "7d1f0c52-3f0e-4b1a-8f60-0a4f7c1d9e21";
const A_DAY_LATER = "2026-11-21T09:30:00Z";
const SNIPPET_FOUND = {
  code: "snippet_found",
  severity: "good",
  message: "The snippet is installed once, with the correct URL and domain.",
};
const testOf = (state: object) => ({ findings: [SNIPPET_FOUND], expires_at: "2026-11-20T09:33:00Z", ...state });
const QUEUED = { status: "queued", running: true, next: "The test has not started yet.", page: null, findings: [] };
const WAITING = {
  ...{ status: "waiting", running: true },
  next: "The page was downloaded. Open `url` in a browser; the test waits for an event from that page.",
};
const STOPPED = {
  ...{ status: "stopped", running: false, next: "The test was stopped.", ended_at: "2026-11-20T09:31:00Z" },
};
const RECORDED = { counts: [{ events: 1 }] };

const APPROVAL = {
  approval_url: `${SERVICE}/approvals/apr_Q2w8ZkT1mN5vB7xL0cYd3hJf`,
  expires_at: A_DAY_LATER,
  decided_at: null,
};
const REPORT_LIMITS = {
  reports: { seconds_per_minute: 90, running: 2, waiting: 200 },
  account_reports: { seconds_per_minute: 120, running: 3, waiting: 400 },
};

const FUNNEL = "/pricing > event:Signup > /thanks";
const FUNNEL_STEPS = [
  {
    ...{ name: "/pricing", kind: "page", pattern: "/pricing", visitors: 128 },
    ...{ conversion_from_first: 1, conversion_from_previous: null, drop_off: 0, drop_off_rate: null },
  },
  {
    ...{ name: "Signup", kind: "event", pattern: "Signup", visitors: 40 },
    ...{ conversion_from_first: 0.31, conversion_from_previous: 0.31, drop_off: 88, drop_off_rate: 0.69 },
  },
  {
    ...{ name: "/thanks", kind: "page", pattern: "/thanks", visitors: 10 },
    ...{ conversion_from_first: 0.08, conversion_from_previous: 0.25, drop_off: 30, drop_off_rate: 0.75 },
  },
];
const THROUGH = { entered: 128, converted: 10, conversion_rate: 0.08, funnel_id: null, name: FUNNEL };
const UNKNOWN_SECONDS = { p50: null, p75: null, p90: null };
const STEP_DETAILS = [
  {
    ...{ seconds_from_previous: UNKNOWN_SECONDS, seconds_from_first: { p50: 0, p75: 0, p90: 0 }, revenue: NOTHING },
    left_to: [
      { kind: "page", value: "/docs", visitors: 40 },
      { kind: "exit", value: null, visitors: 48 },
    ],
  },
  {
    ...{
      seconds_from_previous: { p50: 210, p75: 460, p90: 980 },
      seconds_from_first: { p50: 210, p75: 460, p90: 980 },
    },
    ...{ revenue: NOTHING, left_to: [{ kind: "exit", value: null, visitors: 30 }] },
  },
  {
    ...{ seconds_from_previous: { p50: 12, p75: 30, p90: 64 }, seconds_from_first: { p50: 230, p75: 490, p90: 1030 } },
    ...{ revenue: NOTHING, left_to: [] },
  },
];

const SEARCHED = {
  ...{ searches: 31, visitors: 24, zero_result_rate: 0.13, refinement_rate: 0.1, exits: 6, exit_rate: 0.19 },
  ...{ next_pages: [{ page: "/pricing", searches: 9 }], conversions: 5, conversion_rate: 0.16 },
};
const ONE_TERM = {
  ...{ term: "analytics", searches: 8, visitors: 7, zero_result_rate: 0, refinement_rate: 0.25, exits: 2 },
  ...{ exit_rate: 0.25, next_pages: [{ page: "/pricing", searches: 3 }], conversions: 2, conversion_rate: 0.25 },
};
const SEARCHED_BEFORE = { ...SEARCHED, terms: 12 };
const LANDED = { visitors: 64, visits: 71, conversions: 5, conversion_rate: 0.07 };
const NO_QUERIES = { clicks: null, impressions: null, ctr: null, position: null };

const SIGNUPS = { count: 11, visitors: 9, conversion_rate: 0.07, revenue: NOTHING };
const UNCONVERTED = [money("1200.00", "UAH")];

const SOLD = { orders: 9, revenue: money("441.00"), refunds: money("49.00"), net: money("392.00") };
const SOLD_BEFORE = {
  ...{ orders: 8, revenue: money("392.00"), refunds: NOTHING, net: money("392.00"), refund_count: 0 },
  ...{ order_revenue: money("392.00"), other_revenue: NOTHING, tax: money("62.59"), visitors: 114, buyers: 8 },
};
const PURCHASES = [
  { step: "product_viewed", visitors: 74, from_first: 1, from_previous: null },
  { step: "cart_added", visitors: 14, from_first: 0.19, from_previous: 0.19 },
  { step: "checkout_started", visitors: 10, from_first: 0.14, from_previous: 0.71 },
  { step: "purchase", visitors: 9, from_first: 0.12, from_previous: 0.9 },
];

const QUANTILES = {
  lcp: {},
  inp: { p50: 64, p75: 96, p90: 180, p99: 410 },
  cls: { p50: 0.02, p75: 0.04, p90: 0.08, p99: 0.21 },
  fcp: { p50: 820, p75: 1120, p90: 1630, p99: 2900 },
  ttfb: { p50: 110, p75: 180, p90: 340, p99: 900 },
};

const bucket = (day: number, visitors: number, visits: number, pageviews: number, events: number) => ({
  ...{ start: `2026-11-${day - 1}T23:00:00Z`, label: `2026-11-${day}`, partial: day === 20 },
  ...{ visitors, visits, pageviews, events, views_per_visit: Math.round((pageviews / visits) * 100) / 100 },
});

const ARMS = [
  {
    ...{ variant: "control", control: true, exposed: 206, converted: 18, rate: 0.09, lift: null, lift_interval: null },
    ...{ probability_best: 0.25, expected_loss: 0.021 },
  },
  {
    ...{ variant: "one-page", control: false, exposed: 206, converted: 22, rate: 0.11, lift: 0.22 },
    ...{ lift_interval: { low: -0.33, high: 1.22 }, probability_best: 0.75, expected_loss: 0.002 },
  },
];

export const SAMPLE_ANSWERS: Readonly<Record<string, object>> = {
  "sites.installation": {
    ...installationFor("nextjs", SERVICE, "example.com"),
    frameworks: [{ framework: "nextjs", name: "Next.js" }],
    latest_test: testOf(STOPPED),
  },
  "sites.installation.tests.start": testOf(QUEUED),
  "sites.installation.tests.status": testOf(WAITING),
  "sites.installation.tests.stop": testOf(STOPPED),
  "sites.tracking_test.overview": RECORDED,
  "sites.tracking_test.start": { seconds_left: 600, counts: [], hits: [] },
  "sites.tracking_test.stop": {
    ...{ ...RECORDED, status: "ended", stopped_at: "2026-11-20T09:35:00Z" },
    ...{ kept_until: "2026-11-20T10:35:00Z", seconds_left: 0 },
  },
  "sites.create": { domains: [{ ...PRIMARY, verified: false }], trusted_proxy_ips: [] },
  "sites.domains.add": { domain: "example.com", domains: [PRIMARY, { ...SHOP, domain_id: 4 }] },
  "sites.domains.primary": {
    domain: "shop.example.com",
    domains: [
      { ...PRIMARY, primary: false },
      { ...SHOP, primary: true },
    ],
  },
  "sites.domains.delete": { domains: [PRIMARY] },
  "sites.monitoring": { monitoring: true },
  "sites.monitoring.get": {
    checks: {
      ...{ checked_at: STARTED, problem: null, status: 200, took_ms: 180, certificate_until: "2027-01-18T09:30:00Z" },
      hour: { start: "2026-11-20T08:00:00Z", visits: 14, past: [12, 17, 11], arrivals: { all: 63, refused: 0 } },
    },
    incidents: [
      {
        ...{ cause: "unreachable", started_at: "2026-11-18T02:10:00Z", ended_at: "2026-11-18T02:25:00Z" },
        ...{ seen: "The page of example.com responded with 502, twice in a row.", notified: true },
      },
    ],
  },
  "sites.activity": { last_event_at: STARTED, active_visitors: 4, refused: [{ reason: "own_traffic", events: 2 }] },
  "sites.events.outcomes": {
    outcomes: [
      { outcome: "stored", reason: null, events: 402, days: [{ day: "2026-11-20", events: 402 }] },
      { outcome: "refused", reason: "invalid_input:url", events: 3, days: [{ day: "2026-11-20", events: 3 }] },
    ],
  },
  "sites.quota.get": { quota: { events: 100_000, used: 4_210, unproven: false, renews_at: "2026-12-01T00:00:00Z" } },
  "sites.audit.list": {
    entries: [{ entry_id: "42", decision: null, request_id: REQUEST }],
    cursor: "1795080600000-42",
  },
  "sites.overview": {
    sites: [
      {
        active_visitors: 4,
        numbers: {
          ...{ from: "2026-11-20", to: "2026-11-20", metrics: { visitors: 6, visits: 7, pageviews: 18 } },
          previous: { visitors: 5, visits: 5, pageviews: 12 },
          days: [{ date: "2026-11-20", visitors: 6, visits: 7, pageviews: 18 }],
        },
      },
    ],
  },
  "sites.ownership.transfer": { role: "manager" },
  "sites.proxy.update": {
    signing_key: "ffs_3nV8kQx1RbT6yLw0ZpJc9dMfGh2sA7uE4iO5tK",
    previous_key_valid_until: A_DAY_LATER,
  },
  "sites.keys.rotate": { key_id: 2, previous_key_valid_until: A_DAY_LATER },
  "sites.keys.list": { keys: [{ last_used_at: "2026-11-20T09:42:00Z" }] },
  "sites.members.list": {
    invitations: [{ email: "ben@example.com", role: "viewer", expires_at: "2026-11-27T09:30:00Z" }],
  },
  "sites.members.invite": { expires_at: "2026-11-27T09:30:00Z" },
  "sites.webhooks.get": {
    webhook: {
      previous_secret_valid_until: null,
      deliveries: [{ type: "incident.started", delivered_at: "2026-11-20T09:30:01Z", next_attempt_at: null }],
    },
  },
  "sites.webhooks.set": { host: "alerts.example.com" },
  "sites.webhooks.rotate": { previous_secret_valid_until: A_DAY_LATER },
  "sites.retention.get": { retained_from: "2024-11-20" },
  "sites.retention.update": { retained_from: "2024-11-20" },
  "sites.annotations.save": { at: "2026-11-19T23:00:00Z", all_day: true, url: null },
  "sites.annotations.list": { annotations: [{ at: STARTED }] },
  "sites.dashboards.delete": MORNINGS,
  "sites.dashboards.list": { dashboards: [MORNINGS] },
  "sites.dashboards.save": { from: null, to: null },
  "sites.experiments.delete": CHECKOUT,
  "sites.experiments.list": { experiments: [CHECKOUT] },
  "sites.exclusions.delete": ADMIN,
  "sites.exclusions.list": { exclusions: [ADMIN] },
  "sites.funnels.delete": SIGNING_UP,
  "sites.funnels.list": { funnels: [SIGNING_UP] },
  "sites.goals.delete": SIGNUP,
  "sites.goals.list": { goals: [SIGNUP] },
  "sites.segments.delete": FRENCH,
  "sites.segments.list": { segments: [FRENCH] },
  "sites.export": {
    rows: [
      {
        ...{ event_id: "signup-2026-0042", name: "Signup", engagement_ms: null, scroll: null },
        ...{ revenue: null, currency: null, user_hash: null, visit_started: "2026-11-22T09:28:30.000000Z" },
      },
    ],
  },
  "account.capabilities": {
    client: { name: "Report writer" },
    limits: {
      ...RATES,
      approvals: APPROVAL_RATES.requests,
      pending_approvals: PENDING_APPROVALS,
      sites: { limit: SITES_PER_ACCOUNT },
      domains_per_site: DOMAINS_PER_SITE,
      ...REPORT_LIMITS,
    },
  },
  "approvals.list": { approvals: [APPROVAL] },
  "approvals.withdraw": { ...APPROVAL, status: "withdrawn" },
  "analytics.chart": {
    meta: { interval: "day" },
    ...{ metrics: { visitors: 13, visits: 15, pageviews: 38, events: 4, views_per_visit: 2.53 } },
    buckets: [bucket(19, 7, 8, 20, 3), bucket(20, 6, 7, 18, 1)],
  },
  "analytics.campaigns": {
    ...{ unconverted: UNCONVERTED, campaigns: [{ visitors: 128, visits: 161 }] },
    series: [{ visits: 9, channels: [{ visits: 9 }], campaigns: [{ visits: 9 }] }],
  },
  "analytics.commerce": {
    totals: SOLD,
    previous: SOLD_BEFORE,
    refunds: { orders: 1, of_other_orders: 0 },
    funnel: PURCHASES,
    products: [{ views: 96, quantity: 9 }],
    currencies: [
      {
        ...{ currency: "USD", revenue: "53.09", refunds: "0.00" },
        ...{ converted_revenue: money("49.00"), converted_refunds: NOTHING },
      },
    ],
    rates: [{ currency: "USD", source: "reference" }],
    unconverted: [{ currency: "UAH", revenue: "1200.00", refunds: "0.00" }],
    series: [{ orders: 1, revenue: money("49.00"), refunds: NOTHING, net: money("49.00") }],
  },
  "analytics.events": {
    events: [{ event: "Signup", ...SIGNUPS }],
    goals: [{ goal: "Signup", ...SIGNUPS }],
    unconverted: UNCONVERTED,
    event: {
      ...{ event: "Signup", ...SIGNUPS, series: [{ count: 2, visitors: 2, revenue: NOTHING }] },
      properties: [{ key: "plan", count: 11, visitors: 9, values: [{ value: "pro", count: 7, visitors: 6 }] }],
      pages: [{ value: "/signup", count: 11, visitors: 9 }],
      sources: [{ value: "Google", count: 5, visitors: 4 }],
    },
    series: [{ goals: [{ goal: "Signup", count: 2 }] }],
  },
  "analytics.explore": { rows: [{ values: ["Google", "Desktop"], visitors: 46, bounce_rate: 0.38 }] },
  "analytics.experiments": {
    experiments: [
      {
        ...{ saved: true, goal: "Purchase", exposed: 412, variants: ARMS, missing: [] },
        sample_ratio: { chi_square: 0, p_value: 1, mismatch: false },
      },
    ],
  },
  "analytics.filter_options": { options: [{ value: "/blog/launch", visitors: 21 }] },
  "analytics.funnels": { funnels: [{ ...THROUGH, steps: FUNNEL_STEPS }] },
  "analytics.funnels.advanced": {
    funnels: [
      {
        ...THROUGH,
        steps: FUNNEL_STEPS.map((step, index) => ({ ...step, ...STEP_DETAILS[index] })),
        trend: [{ entered: 6, converted: 1 }],
        sources: [{ visitors: [46, 18, 5] }],
        devices: [{ visitors: [90, 31, 8] }],
        countries: [{ visitors: [70, 22, 6] }],
      },
    ],
  },
  "analytics.heatmap": { cells: [{ visitors: 6, visits: 7 }] },
  "analytics.journeys": {
    ...{ funnel: null },
    journeys: [
      {
        visits: 40,
        paths: [{ steps: [{ value: "/pricing" }, { value: "/signup" }], visits: 12, ended: true }],
        transitions: [{ from: { value: "/pricing" }, to: { value: "/signup" }, visits: 14 }],
      },
    ],
  },
  "analytics.overview": { panels: { event_names: [{ visitors: 9, visits: 9 }] } },
  "analytics.realtime": {
    meta: { from: "2026-11-20", to: "2026-11-20" },
    visitors: 4,
    minutes: [{ start: STARTED, visitors: 2, pageviews: 3 }],
    pages: [{ visitors: 3 }],
    sources: [{ visitors: 2 }],
    countries: [{ visitors: 4 }],
    events: [{ visit: "8f14e45fceea167a" }],
  },
  "analytics.retention": {
    meta: { identity: "user_id" },
    cohorts: [
      {
        ...{ start: "2026-11-18", visitors: 12, partial: false },
        cells: [
          { visitors: 12, rate: 1 },
          { visitors: 5, rate: 0.42 },
          { visitors: 4, rate: 0.33, partial: true },
        ],
      },
    ],
    average: [1, 0.42, 0.33],
  },
  "analytics.seo": {
    organic: { ...LANDED, landing_pages: [{ source: "Google", ...LANDED }] },
    assistants: {
      ...{ visitors: 8, visits: 9, conversions: 1, conversion_rate: 0.11 },
      landing_pages: [{ source: "ChatGPT", visitors: 8, visits: 9, conversions: 1, conversion_rate: 0.11 }],
    },
    providers: [
      {
        ...{ provider: "google", connected: false, fresh_until: null, queries: [] },
        about: "Not connected. Google Search Console will add search queries, clicks, impressions and positions.",
        ...{ totals: NO_QUERIES, unattributed: NO_QUERIES },
      },
    ],
    series: [{ organic: 5, engines: [{ source: "Google", visits: 5 }], assistants: 1 }],
  },
  "analytics.site_search": {
    total: SEARCHED_BEFORE,
    terms: [ONE_TERM],
    comparison: { total: SEARCHED_BEFORE, terms: [ONE_TERM] },
    series: [{ searches: 2, zero_results: 0 }],
  },
  "analytics.vitals": {
    overall: QUANTILES,
    ...{ pages: [QUANTILES], devices: [{ value: "Mobile", ...QUANTILES }] },
    ...{ countries: [QUANTILES], browsers: [QUANTILES] },
    series: [{ views: 21 }],
  },
};
