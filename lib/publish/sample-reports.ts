/** What example answers of reports have of their own: numbers that belong together. */

const money = (amount: string, currency = "EUR") => ({ amount, currency });
const NOTHING = money("0.00");

const FUNNEL = "/pricing > event:Signup > /thanks";
const FUNNEL_STEPS = [
  {
    name: "/pricing",
    kind: "page",
    pattern: "/pricing",
    visitors: 128,
    conversion_from_first: 1,
    conversion_from_previous: null,
    drop_off: 0,
    drop_off_rate: null,
  },
  {
    name: "Signup",
    kind: "event",
    pattern: "Signup",
    visitors: 40,
    conversion_from_first: 0.31,
    conversion_from_previous: 0.31,
    drop_off: 88,
    drop_off_rate: 0.69,
  },
  {
    name: "/thanks",
    kind: "page",
    pattern: "/thanks",
    visitors: 10,
    conversion_from_first: 0.08,
    conversion_from_previous: 0.25,
    drop_off: 30,
    drop_off_rate: 0.75,
  },
];
const THROUGH = { entered: 128, converted: 10, conversion_rate: 0.08, funnel_id: null, name: FUNNEL };
const UNKNOWN_SECONDS = { p50: null, p75: null, p90: null };
const STEP_DETAILS = [
  {
    seconds_from_previous: UNKNOWN_SECONDS,
    seconds_from_first: { p50: 0, p75: 0, p90: 0 },
    revenue: NOTHING,
    left_to: [
      { kind: "page", value: "/docs", visitors: 40 },
      { kind: "exit", value: null, visitors: 48 },
    ],
  },
  {
    seconds_from_previous: { p50: 210, p75: 460, p90: 980 },
    seconds_from_first: { p50: 210, p75: 460, p90: 980 },
    revenue: NOTHING,
    left_to: [{ kind: "exit", value: null, visitors: 30 }],
  },
  {
    seconds_from_previous: { p50: 12, p75: 30, p90: 64 },
    seconds_from_first: { p50: 230, p75: 490, p90: 1030 },
    revenue: NOTHING,
    left_to: [],
  },
];

const SEARCHED = {
  searches: 31,
  visitors: 24,
  zero_result_rate: 0.13,
  refinement_rate: 0.1,
  exits: 6,
  exit_rate: 0.19,
  next_pages: [{ page: "/pricing", searches: 9 }],
  conversions: 5,
  conversion_rate: 0.16,
};
const ONE_TERM = {
  term: "analytics",
  searches: 8,
  visitors: 7,
  zero_result_rate: 0,
  refinement_rate: 0.25,
  exits: 2,
  exit_rate: 0.25,
  next_pages: [{ page: "/pricing", searches: 3 }],
  conversions: 2,
  conversion_rate: 0.25,
};
const SEARCHED_BEFORE = { ...SEARCHED, terms: 12 };
const LANDED = { visitors: 64, visits: 71, conversions: 5, conversion_rate: 0.07 };
const NO_QUERIES = { clicks: null, impressions: null, ctr: null, position: null };

const SIGNUPS = { count: 11, visitors: 9, conversion_rate: 0.07, revenue: NOTHING };
const UNCONVERTED = [money("1200.00", "UAH")];

const SOLD = { orders: 9, revenue: money("441.00"), refunds: money("49.00"), net: money("392.00") };
const SOLD_BEFORE = {
  orders: 8,
  revenue: money("392.00"),
  refunds: NOTHING,
  net: money("392.00"),
  refund_count: 0,
  order_revenue: money("392.00"),
  other_revenue: NOTHING,
  tax: money("62.59"),
  visitors: 114,
  buyers: 8,
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
  start: `2026-11-${day - 1}T23:00:00Z`,
  label: `2026-11-${day}`,
  partial: day === 20,
  visitors,
  visits,
  pageviews,
  events,
  views_per_visit: Math.round((pageviews / visits) * 100) / 100,
});

const ARMS = [
  {
    variant: "control",
    control: true,
    exposed: 206,
    converted: 18,
    rate: 0.09,
    lift: null,
    lift_interval: null,
    probability_best: 0.25,
    expected_loss: 0.021,
  },
  {
    variant: "one-page",
    control: false,
    exposed: 206,
    converted: 22,
    rate: 0.11,
    lift: 0.22,
    lift_interval: { low: -0.33, high: 1.22 },
    probability_best: 0.75,
    expected_loss: 0.002,
  },
];

export const SAMPLE_REPORTS: Readonly<Record<string, object>> = {
  "analytics.chart": {
    meta: { interval: "day" },
    metrics: { visitors: 13, visits: 15, pageviews: 38, events: 4, views_per_visit: 2.53 },
    buckets: [bucket(19, 7, 8, 20, 3), bucket(20, 6, 7, 18, 1)],
  },
  "analytics.campaigns": {
    unconverted: UNCONVERTED,
    campaigns: [{ visitors: 128, visits: 161 }],
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
        currency: "USD",
        revenue: "53.09",
        refunds: "0.00",
        converted_revenue: money("49.00"),
        converted_refunds: NOTHING,
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
      event: "Signup",
      ...SIGNUPS,
      series: [{ count: 2, visitors: 2, revenue: NOTHING }],
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
        saved: true,
        goal: "Purchase",
        exposed: 412,
        variants: ARMS,
        missing: [],
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
    funnel: null,
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
    minutes: [{ start: "2026-11-20T09:30:00Z", visitors: 2, pageviews: 3 }],
    pages: [{ visitors: 3 }],
    sources: [{ visitors: 2 }],
    countries: [{ visitors: 4 }],
    events: [{ visit: "8f14e45fceea167a" }],
  },
  "analytics.retention": {
    meta: { identity: "user_id" },
    cohorts: [
      {
        start: "2026-11-18",
        visitors: 12,
        partial: false,
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
      visitors: 8,
      visits: 9,
      conversions: 1,
      conversion_rate: 0.11,
      landing_pages: [{ source: "ChatGPT", visitors: 8, visits: 9, conversions: 1, conversion_rate: 0.11 }],
    },
    providers: [
      {
        provider: "google",
        connected: false,
        fresh_until: null,
        queries: [],
        about: "Not connected. Google Search Console will add search queries, clicks, impressions and positions.",
        totals: NO_QUERIES,
        unattributed: NO_QUERIES,
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
    pages: [QUANTILES],
    devices: [{ value: "Mobile", ...QUANTILES }],
    countries: [QUANTILES],
    browsers: [QUANTILES],
    series: [{ views: 21 }],
  },
};
