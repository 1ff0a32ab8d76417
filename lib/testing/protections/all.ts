import { ADMINISTRATION } from "@/lib/testing/protections/administration";
import { ATTRIBUTION } from "@/lib/testing/protections/attribution";
import { BEYOND } from "@/lib/testing/protections/beyond";
import { CLIENTS } from "@/lib/testing/protections/clients";
import { EXPORTS } from "@/lib/testing/protections/exports";
import { FIRST_HOUR } from "@/lib/testing/protections/first-hour";
import { FOREIGN } from "@/lib/testing/protections/foreign";
import { IDENTITY } from "@/lib/testing/protections/identity";
import { IMPORTS_OF_OTHERS } from "@/lib/testing/protections/imports-of-others";
import { LANGUAGES } from "@/lib/testing/protections/languages";
import { LISTS } from "@/lib/testing/protections/lists";
import { MANAGEMENT } from "@/lib/testing/protections/management";
import { MEASUREMENT } from "@/lib/testing/protections/measurement";
import { OAUTH } from "@/lib/testing/protections/oauth";
import { OWN_EXPORTS } from "@/lib/testing/protections/own-exports";
import { OWNER_DOCS } from "@/lib/testing/protections/owner-docs";
import { PAGES } from "@/lib/testing/protections/pages";
import { PARQUET_UPLOADS } from "@/lib/testing/protections/parquet-uploads";
import type { Protection } from "@/lib/testing/protections/protection";
import { READERS } from "@/lib/testing/protections/readers";
import { REPORT_VIEWS } from "@/lib/testing/protections/report-views";
import { REPORT_TEXTS } from "@/lib/testing/protections/reports";
import { REPORTS_AND_ALERTS } from "@/lib/testing/protections/reports-and-alerts";
import { REPORTS_OF_OTHERS } from "@/lib/testing/protections/reports-of-others";
import { REVIEWED } from "@/lib/testing/protections/reviewed";
import { SCRUBBING } from "@/lib/testing/protections/scrubbing";
import { SEARCH } from "@/lib/testing/protections/search";
import { SHARED_REPORT_FILTERS } from "@/lib/testing/protections/shared-reports";
import { SHARED_REVENUE } from "@/lib/testing/protections/shared-revenue";
import { SHARED_VIEWS } from "@/lib/testing/protections/shared-views";
import { SHARING } from "@/lib/testing/protections/sharing";
import { SIGN_IN } from "@/lib/testing/protections/sign-in";
import { SIGNED_AGENTS } from "@/lib/testing/protections/signed-agents";
import { SOURCES } from "@/lib/testing/protections/sources";
import { TEAMS } from "@/lib/testing/protections/teams";
import { TOKENS_AND_GROWTH } from "@/lib/testing/protections/tokens";
import { UPLOADS } from "@/lib/testing/protections/uploads";

/** Every case of docs/threats.md once, in its order: what holds it, or why no single place does. */
export const CASES = [
  ...[...MEASUREMENT, ...OAUTH, ...IDENTITY, ...MANAGEMENT, ...PAGES, ...BEYOND],
  ...[
    ...TOKENS_AND_GROWTH,
    ...SIGN_IN,
    ...SIGNED_AGENTS,
    ...SOURCES,
    ...SCRUBBING,
    ...REPORT_TEXTS,
    ...READERS,
    ...SEARCH,
    ...FOREIGN,
    ...EXPORTS,
    ...UPLOADS,
    ...OWNER_DOCS,
    ...SHARING,
    ...REPORTS_AND_ALERTS,
    ...REPORTS_OF_OTHERS,
    ...IMPORTS_OF_OTHERS,
    ...CLIENTS,
    ...REPORT_VIEWS,
    ...ADMINISTRATION,
    ...LISTS,
    ...FIRST_HOUR,
    ...REVIEWED,
    ...TEAMS,
    ...SHARED_VIEWS,
    ...ATTRIBUTION,
    ...LANGUAGES,
    ...SHARED_REPORT_FILTERS,
    ...OWN_EXPORTS,
    ...SHARED_REVENUE,
    ...PARQUET_UPLOADS,
  ],
];

export const PROTECTIONS = CASES.filter((entry): entry is Protection => "test" in entry);
