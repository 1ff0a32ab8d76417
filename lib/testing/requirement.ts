import type { Risk, Role, Scope } from "@/lib/contract/access";

/**
 * Tables 4.2 and 4.3 of the requirement as data, which the registry is compared with. Parameters have a type and
 * bounds, `| null` when null is allowed, `R` when required.
 */
export interface RequiredOperation {
  id: string;
  method: "GET" | "POST";
  scope: Scope;
  role: Role;
  risk: Risk;
  approval: boolean;
  parameters: Record<string, string>;
}

const ID = "integer 1..";
const site_id = `${ID} R`;
const id = "uuid R";
const domain = "string ≤269 R";
const timezone = "string R";
const bool = "boolean R";

type Row = [id: string, method: "GET" | "POST", Scope, Role, Risk, approval: "yes" | "no", Record<string, string>];

const SITES: Row[] = [
  [
    "sites.list",
    "GET",
    "sites:read",
    "viewer",
    "none",
    "no",
    { page: "integer 1..100000 | null", per_page: "integer 1..100 | null" },
  ],
  [
    "sites.create",
    "POST",
    "sites:create",
    "manager",
    "write",
    "no",
    { domain, name: "string ≤255 | null", timezone, public: bool },
  ],
  [
    "sites.installation",
    "GET",
    "sites:read",
    "manager",
    "none",
    "no",
    { site_id, framework: "html|laravel|react|nextjs|vue|wordpress|shopify|gtm | null" },
  ],
  ["sites.installation.tests.start", "POST", "sites:write", "manager", "write", "no", { site_id }],
  ["sites.installation.tests.status", "GET", "sites:read", "manager", "none", "no", { id, site_id }],
  ["sites.installation.tests.stop", "POST", "sites:write", "manager", "write", "no", { id, site_id }],
  ["sites.tracking_test.overview", "GET", "sites:read", "manager", "none", "no", { site_id }],
  ["sites.tracking_test.start", "POST", "sites:write", "manager", "write", "no", { site_id }],
  ["sites.tracking_test.stop", "POST", "sites:write", "manager", "write", "no", { site_id }],
  ["sites.monitoring", "POST", "sites:write", "manager", "configuration", "yes", { enabled: bool, site_id }],
  ["sites.verify", "POST", "sites:write", "manager", "write", "no", { site_id }],
  ["sites.settings.get", "GET", "sites:read", "manager", "none", "no", { site_id }],
  [
    "sites.settings.update",
    "POST",
    "sites:write",
    "manager",
    "sharing",
    "yes",
    { name: "string ≤255 R", timezone, reporting_currency: "string =3 R", public: bool, site_id },
  ],
  ["sites.domains.add", "POST", "sites:write", "manager", "write", "no", { site_id, domain }],
  [
    "sites.domains.primary",
    "POST",
    "sites:write",
    "manager",
    "configuration",
    "yes",
    { domain_id: `${ID} R`, site_id },
  ],
  ["sites.domains.delete", "POST", "sites:write", "manager", "destructive", "yes", { domain_id: `${ID} R`, site_id }],
  ["sites.delete", "POST", "sites:delete", "owner", "destructive", "yes", { site_id }],
  ["sites.ownership.transfer", "POST", "teams:write", "owner", "access", "yes", { new_owner_id: `${ID} R`, site_id }],
  [
    "sites.proxy.update",
    "POST",
    "sites:write",
    "owner",
    "security",
    "yes",
    {
      trusted_proxy_ips: "array ≤100 of string ≤64 R",
      require_signature: bool,
      rotate_signing_key: "boolean | null",
      site_id,
    },
  ],
];

/** The parameters of every report. */
const COMMON = {
  site_id,
  period: "string ≤32 | null",
  from: "date | null",
  to: "date | null",
  traffic: "human|all|bot|ai|spam|suspicious | null",
  filters: "object | null",
  compare: "none|previous_period|year_over_year | null",
  segment: "uuid | null",
  dashboard: "uuid | null",
};

const funnel = "string ≤191 | null";
const ANALYTICS: Record<string, Record<string, string>> = {
  overview: {},
  realtime: { since: "string | null" },
  retention: {},
  vitals: {},
  events: { event: "string ≤255 | null" },
  campaigns: {},
  commerce: {},
  experiments: {},
  site_search: {},
  funnels: { funnel },
  "funnels.advanced": { funnel },
  journeys: { funnel, start: "string ≤2048 | null" },
  chart: { interval: "minute|hour|day|week|month | null" },
  filter_options: {
    field: "string ≤96 R",
    q: "string ≤255 | null",
    search: "string ≤255 | null",
    limit: "integer 1..100 | null",
  },
  seo: { provider: "all|google|bing | null" },
  // Its further parameters are "not shown" by the requirement: design/contract.md decides them.
  explore: {
    metrics: "string ≤500 | null",
    dimensions: "string ≤500 | null",
    sort: "string ≤64 | null",
    limit: "integer 1..1000 | null",
    page: "integer 1..1000 | null",
  },
};

export const REQUIRED: readonly RequiredOperation[] = [
  ...SITES.map(([id, method, scope, role, risk, approval, parameters]) => ({
    id,
    method,
    scope,
    role,
    risk,
    approval: approval === "yes",
    parameters,
  })),
  ...Object.entries(ANALYTICS).map(([name, additional]) => ({
    id: `analytics.${name}`,
    method: "GET" as const,
    scope: "analytics:read" as const,
    role: "viewer" as const,
    risk: "none" as const,
    approval: false,
    parameters: { ...COMMON, ...additional },
  })),
];
