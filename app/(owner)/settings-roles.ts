import type { SettingsKey, SettingsRoles } from "@/components/shell/settings-pages";
import type { Role } from "@/lib/contract/access";
import sitesActivity from "@/lib/operations/sites.activity";
import sitesAuditList from "@/lib/operations/sites.audit.list";
import sitesDelete from "@/lib/operations/sites.delete";
import sitesExclusionsList from "@/lib/operations/sites.exclusions.list";
import sitesGoalsList from "@/lib/operations/sites.goals.list";
import sitesImportsCreate from "@/lib/operations/sites.imports.create";
import sitesKeysList from "@/lib/operations/sites.keys.list";
import sitesLinksList from "@/lib/operations/sites.links.list";
import sitesMembersList from "@/lib/operations/sites.members.list";
import sitesMonitoringGet from "@/lib/operations/sites.monitoring.get";
import sitesPrivacyGet from "@/lib/operations/sites.privacy.get";
import sitesRatesList from "@/lib/operations/sites.rates.list";
import sitesReportsGet from "@/lib/operations/sites.reports.get";
import sitesRetentionGet from "@/lib/operations/sites.retention.get";
import sitesSearchEnginesList from "@/lib/operations/sites.search_engines.list";
import sitesSettingsGet from "@/lib/operations/sites.settings.get";
import sitesTrackingTestOverview from "@/lib/operations/sites.tracking_test.overview";

/** The operation that a settings page reads; for the danger zone, the one that it is for. */
const OPERATIONS = {
  general: sitesSettingsGet,
  domains: sitesSettingsGet,
  installation: sitesActivity,
  people: sitesMembersList,
  sharing: sitesLinksList,
  goals: sitesGoalsList,
  privacy: sitesPrivacyGet,
  exclusions: sitesExclusionsList,
  tracking: sitesTrackingTestOverview,
  measurement: sitesKeysList,
  proxy: sitesSettingsGet,
  monitoring: sitesMonitoringGet,
  reports: sitesReportsGet,
  search: sitesSearchEnginesList,
  rates: sitesRatesList,
  data: sitesRetentionGet,
  import: sitesImportsCreate,
  log: sitesAuditList,
  danger: sitesDelete,
} satisfies Record<SettingsKey, { role: Role }>;

/** The lowest role that sees each settings page: that of its operation. */
export const SETTINGS_ROLES = Object.fromEntries(
  Object.entries(OPERATIONS).map(([key, { role }]) => [key, role]),
) as Record<SettingsKey, Role> satisfies SettingsRoles;
