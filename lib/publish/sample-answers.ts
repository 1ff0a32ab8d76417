import { APPROVAL_RATES, DOMAINS_PER_SITE, PENDING_APPROVALS, RATES, SITES_PER_ACCOUNT } from "@/lib/platform/limits";
import { SAMPLE_REPORTS } from "@/lib/publish/sample-reports";
import { installationFor } from "@/lib/sites/installation";

/**
 * What example answers have of their own, by operation: what follows from the call, and numbers that belong together.
 * Fields that are not named here have the values of their schema and of `SAMPLE_VALUES`.
 */

const SERVICE = "https://stats.example.com";

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
  name: "Mornings",
  filters: { country: "FR" },
  period: "7d",
  from: null,
  to: null,
  panels: ["metrics", "chart", "pages"],
};
const CHECKOUT = {
  name: "checkout",
  goal: "Purchase",
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
  status: "waiting",
  running: true,
  next: "The page was downloaded. Open `url` in a browser; the test waits for an event from that page.",
};
const STOPPED = {
  status: "stopped",
  running: false,
  next: "The test was stopped.",
  ended_at: "2026-11-20T09:31:00Z",
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
    ...RECORDED,
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
  "sites.monitoring.get": {
    checks: {
      checked_at: STARTED,
      problem: null,
      status: 200,
      took_ms: 180,
      certificate_until: "2027-01-18T09:30:00Z",
      hour: { start: "2026-11-20T08:00:00Z", visits: 14, past: [12, 17, 11], arrivals: { all: 63, refused: 0 } },
    },
    incidents: [
      {
        cause: "unreachable",
        started_at: "2026-11-18T02:10:00Z",
        ended_at: "2026-11-18T02:25:00Z",
        seen: "The page of example.com responded with 502, twice in a row.",
        notified: true,
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
          from: "2026-11-20",
          to: "2026-11-20",
          metrics: { visitors: 6, visits: 7, pageviews: 18 },
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
        event_id: "signup-2026-0042",
        name: "Signup",
        engagement_ms: null,
        scroll: null,
        revenue: null,
        currency: null,
        user_hash: null,
        visit_started: "2026-11-22T09:28:30.000000Z",
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
  ...SAMPLE_REPORTS,
};
