import { APPROVAL_RATES, DOMAINS_PER_SITE, PENDING_APPROVALS, RATES, SITES_PER_ACCOUNT } from "@/lib/platform/limits";
import { installationFor } from "@/lib/sites/installation";

/**
 * What example answers have of their own, by operation, because it follows from the call or from what the operation did.
 * All other fields have the examples of their schemas.
 */

const PRIMARY = { domain_id: 3, domain: "example.com", primary: true, verified: true };
const SHOP = { domain_id: 2, domain: "shop.example.com", primary: false, verified: false };

const STOPPED = {
  status: "stopped",
  running: false,
  next: "The test was stopped.",
  ended_at: "2026-11-20T09:31:00Z",
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

export const SAMPLE_ANSWERS: Readonly<Record<string, { meta?: object; [field: string]: unknown }>> = {
  "sites.installation": {
    ...installationFor("nextjs", {
      baseUrl: "https://stats.example.com",
      domain: "example.com",
      name: "example.com",
    }),
    warning: null,
    frameworks: [{ framework: "nextjs", name: "Next.js" }],
    latest_test: STOPPED,
  },
  "sites.installation.tests.start": {
    status: "queued",
    running: true,
    next: "The test has not started yet.",
    page: null,
    findings: [],
  },
  "sites.installation.tests.status": {
    status: "waiting",
    running: true,
    next: "The page was downloaded. Open `url` in a browser; the test waits for an event from that page.",
  },
  "sites.installation.tests.stop": STOPPED,
  "sites.tracking_test.start": { seconds_left: 600, counts: [], hits: [] },
  "sites.tracking_test.stop": {
    status: "ended",
    stopped_at: "2026-11-20T09:35:00Z",
    kept_until: "2026-11-20T10:35:00Z",
    seconds_left: 0,
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
  "sites.ownership.transfer": { role: "manager" },
  "sites.keys.rotate": { key_id: 2 },
  "sites.annotations.save": { at: "2026-11-19T23:00:00Z", all_day: true, url: null },
  "account.capabilities": {
    limits: {
      ...RATES,
      approvals: APPROVAL_RATES.requests,
      pending_approvals: PENDING_APPROVALS,
      sites: { limit: SITES_PER_ACCOUNT },
      domains_per_site: DOMAINS_PER_SITE,
      reports: { seconds_per_minute: 90, running: 2, waiting: 200 },
      account_reports: { seconds_per_minute: 120, running: 3, waiting: 400 },
    },
  },
  "approvals.withdraw": { status: "withdrawn" },
  "analytics.chart": {
    meta: { interval: "day" },
    metrics: { visitors: 13, visits: 15, pageviews: 38, events: 4, views_per_visit: 2.53 },
    buckets: [bucket(19, 7, 8, 20, 3), bucket(20, 6, 7, 18, 1)],
  },
  "analytics.realtime": { meta: { from: "2026-11-20", to: "2026-11-20" } },
  "analytics.retention": { meta: { identity: "user_id" } },
  "analytics.vitals": {
    devices: [{ value: "Mobile" }],
    countries: [{ value: "DE" }],
    browsers: [{ value: "Firefox" }],
  },
};
