import type { z } from "zod";
import type { AnyOperation } from "@/lib/contract/define";
import accountCapabilities from "@/lib/operations/account.capabilities";
import analyticsAi from "@/lib/operations/analytics.ai";
import analyticsCampaigns from "@/lib/operations/analytics.campaigns";
import analyticsChanges from "@/lib/operations/analytics.changes";
import analyticsChart from "@/lib/operations/analytics.chart";
import analyticsCommerce from "@/lib/operations/analytics.commerce";
import analyticsEvents from "@/lib/operations/analytics.events";
import analyticsExperiments from "@/lib/operations/analytics.experiments";
import analyticsExplore from "@/lib/operations/analytics.explore";
import analyticsFilterOptions from "@/lib/operations/analytics.filter_options";
import analyticsFunnels from "@/lib/operations/analytics.funnels";
import analyticsFunnelsAdvanced from "@/lib/operations/analytics.funnels.advanced";
import analyticsHeatmap from "@/lib/operations/analytics.heatmap";
import analyticsJourneys from "@/lib/operations/analytics.journeys";
import analyticsOverview from "@/lib/operations/analytics.overview";
import analyticsRealtime from "@/lib/operations/analytics.realtime";
import analyticsReports from "@/lib/operations/analytics.reports";
import analyticsRetention from "@/lib/operations/analytics.retention";
import analyticsSeo from "@/lib/operations/analytics.seo";
import analyticsSiteSearch from "@/lib/operations/analytics.site_search";
import analyticsVitals from "@/lib/operations/analytics.vitals";
import approvalsList from "@/lib/operations/approvals.list";
import approvalsWithdraw from "@/lib/operations/approvals.withdraw";
import sitesActivity from "@/lib/operations/sites.activity";
import sitesAlertsDelete from "@/lib/operations/sites.alerts.delete";
import sitesAlertsList from "@/lib/operations/sites.alerts.list";
import sitesAlertsSave from "@/lib/operations/sites.alerts.save";
import sitesAlertsSendTest from "@/lib/operations/sites.alerts.send_test";
import sitesAliasesDelete from "@/lib/operations/sites.aliases.delete";
import sitesAliasesList from "@/lib/operations/sites.aliases.list";
import sitesAliasesSet from "@/lib/operations/sites.aliases.set";
import sitesAnnotationsDelete from "@/lib/operations/sites.annotations.delete";
import sitesAnnotationsList from "@/lib/operations/sites.annotations.list";
import sitesAnnotationsSave from "@/lib/operations/sites.annotations.save";
import sitesAuditList from "@/lib/operations/sites.audit.list";
import sitesCombined from "@/lib/operations/sites.combined";
import sitesCreate from "@/lib/operations/sites.create";
import sitesDashboardsDelete from "@/lib/operations/sites.dashboards.delete";
import sitesDashboardsList from "@/lib/operations/sites.dashboards.list";
import sitesDashboardsSave from "@/lib/operations/sites.dashboards.save";
import sitesDelete from "@/lib/operations/sites.delete";
import sitesDomainsAdd from "@/lib/operations/sites.domains.add";
import sitesDomainsDelete from "@/lib/operations/sites.domains.delete";
import sitesDomainsPrimary from "@/lib/operations/sites.domains.primary";
import sitesEventsOutcomes from "@/lib/operations/sites.events.outcomes";
import sitesExclusionsAdd from "@/lib/operations/sites.exclusions.add";
import sitesExclusionsDelete from "@/lib/operations/sites.exclusions.delete";
import sitesExclusionsList from "@/lib/operations/sites.exclusions.list";
import sitesExperimentsDelete from "@/lib/operations/sites.experiments.delete";
import sitesExperimentsList from "@/lib/operations/sites.experiments.list";
import sitesExperimentsSave from "@/lib/operations/sites.experiments.save";
import sitesExport from "@/lib/operations/sites.export";
import sitesExportDownload from "@/lib/operations/sites.export.download";
import sitesExportReport from "@/lib/operations/sites.export.report";
import sitesFunnelsDelete from "@/lib/operations/sites.funnels.delete";
import sitesFunnelsList from "@/lib/operations/sites.funnels.list";
import sitesFunnelsSave from "@/lib/operations/sites.funnels.save";
import sitesGoalsDelete from "@/lib/operations/sites.goals.delete";
import sitesGoalsList from "@/lib/operations/sites.goals.list";
import sitesGoalsSave from "@/lib/operations/sites.goals.save";
import sitesImportsCreate from "@/lib/operations/sites.imports.create";
import sitesImportsDelete from "@/lib/operations/sites.imports.delete";
import sitesImportsDisconnect from "@/lib/operations/sites.imports.disconnect";
import sitesImportsFetch from "@/lib/operations/sites.imports.fetch";
import sitesImportsList from "@/lib/operations/sites.imports.list";
import sitesImportsProperties from "@/lib/operations/sites.imports.properties";
import sitesImportsStart from "@/lib/operations/sites.imports.start";
import sitesImportsUpload from "@/lib/operations/sites.imports.upload";
import sitesInstallation from "@/lib/operations/sites.installation";
import sitesInstallationTestsStart from "@/lib/operations/sites.installation.tests.start";
import sitesInstallationTestsStatus from "@/lib/operations/sites.installation.tests.status";
import sitesInstallationTestsStop from "@/lib/operations/sites.installation.tests.stop";
import sitesKeysCreate from "@/lib/operations/sites.keys.create";
import sitesKeysList from "@/lib/operations/sites.keys.list";
import sitesKeysRevoke from "@/lib/operations/sites.keys.revoke";
import sitesKeysRotate from "@/lib/operations/sites.keys.rotate";
import sitesLinksCreate from "@/lib/operations/sites.links.create";
import sitesLinksList from "@/lib/operations/sites.links.list";
import sitesLinksRevoke from "@/lib/operations/sites.links.revoke";
import sitesList from "@/lib/operations/sites.list";
import sitesMembersInvitationsWithdraw from "@/lib/operations/sites.members.invitations.withdraw";
import sitesMembersInvite from "@/lib/operations/sites.members.invite";
import sitesMembersList from "@/lib/operations/sites.members.list";
import sitesMembersRemove from "@/lib/operations/sites.members.remove";
import sitesMembersUpdate from "@/lib/operations/sites.members.update";
import sitesMonitoring from "@/lib/operations/sites.monitoring";
import sitesMonitoringGet from "@/lib/operations/sites.monitoring.get";
import sitesOverview from "@/lib/operations/sites.overview";
import sitesOwnershipTransfer from "@/lib/operations/sites.ownership.transfer";
import sitesPrivacyGet from "@/lib/operations/sites.privacy.get";
import sitesPrivacyRecord from "@/lib/operations/sites.privacy.record";
import sitesPrivacyUpdate from "@/lib/operations/sites.privacy.update";
import sitesProxyUpdate from "@/lib/operations/sites.proxy.update";
import sitesQuotaGet from "@/lib/operations/sites.quota.get";
import sitesRatesDelete from "@/lib/operations/sites.rates.delete";
import sitesRatesList from "@/lib/operations/sites.rates.list";
import sitesRatesSet from "@/lib/operations/sites.rates.set";
import sitesReportsGet from "@/lib/operations/sites.reports.get";
import sitesReportsPreview from "@/lib/operations/sites.reports.preview";
import sitesReportsRecipientsAdd from "@/lib/operations/sites.reports.recipients.add";
import sitesReportsRecipientsRemove from "@/lib/operations/sites.reports.recipients.remove";
import sitesReportsSendNow from "@/lib/operations/sites.reports.send_now";
import sitesReportsUpdate from "@/lib/operations/sites.reports.update";
import sitesRetentionGet from "@/lib/operations/sites.retention.get";
import sitesRetentionUpdate from "@/lib/operations/sites.retention.update";
import sitesScrubbingAdd from "@/lib/operations/sites.scrubbing.add";
import sitesScrubbingDelete from "@/lib/operations/sites.scrubbing.delete";
import sitesScrubbingList from "@/lib/operations/sites.scrubbing.list";
import sitesScrubbingReport from "@/lib/operations/sites.scrubbing.report";
import sitesSearchEnginesDisconnect from "@/lib/operations/sites.search_engines.disconnect";
import sitesSearchEnginesList from "@/lib/operations/sites.search_engines.list";
import sitesSearchEnginesRefresh from "@/lib/operations/sites.search_engines.refresh";
import sitesSearchEnginesUpdate from "@/lib/operations/sites.search_engines.update";
import sitesSegmentsDelete from "@/lib/operations/sites.segments.delete";
import sitesSegmentsList from "@/lib/operations/sites.segments.list";
import sitesSegmentsSave from "@/lib/operations/sites.segments.save";
import sitesSettingsGet from "@/lib/operations/sites.settings.get";
import sitesSettingsUpdate from "@/lib/operations/sites.settings.update";
import sitesTagsSet from "@/lib/operations/sites.tags.set";
import sitesTeamSet from "@/lib/operations/sites.team.set";
import sitesTrackingTestOverview from "@/lib/operations/sites.tracking_test.overview";
import sitesTrackingTestStart from "@/lib/operations/sites.tracking_test.start";
import sitesTrackingTestStop from "@/lib/operations/sites.tracking_test.stop";
import sitesVerify from "@/lib/operations/sites.verify";
import sitesWebhooksDelete from "@/lib/operations/sites.webhooks.delete";
import sitesWebhooksGet from "@/lib/operations/sites.webhooks.get";
import sitesWebhooksRotate from "@/lib/operations/sites.webhooks.rotate";
import sitesWebhooksSendTest from "@/lib/operations/sites.webhooks.send_test";
import sitesWebhooksSet from "@/lib/operations/sites.webhooks.set";
import teamsCreate from "@/lib/operations/teams.create";
import teamsDelete from "@/lib/operations/teams.delete";
import teamsInvitationsWithdraw from "@/lib/operations/teams.invitations.withdraw";
import teamsList from "@/lib/operations/teams.list";
import teamsMembersInvite from "@/lib/operations/teams.members.invite";
import teamsMembersRemove from "@/lib/operations/teams.members.remove";
import teamsMembersUpdate from "@/lib/operations/teams.members.update";
import teamsUpdate from "@/lib/operations/teams.update";

const all = [
  sitesList,
  sitesOverview,
  sitesCombined,
  sitesCreate,
  sitesInstallation,
  sitesTagsSet,
  sitesTrackingTestOverview,
  sitesTrackingTestStart,
  sitesTrackingTestStop,
  sitesInstallationTestsStart,
  sitesInstallationTestsStatus,
  sitesInstallationTestsStop,
  sitesVerify,
  sitesActivity,
  sitesEventsOutcomes,
  sitesQuotaGet,
  sitesAuditList,
  sitesSettingsGet,
  sitesSettingsUpdate,
  sitesDomainsAdd,
  sitesDomainsPrimary,
  sitesDomainsDelete,
  sitesDelete,
  sitesMonitoring,
  sitesMonitoringGet,
  sitesOwnershipTransfer,
  sitesProxyUpdate,
  sitesAliasesDelete,
  sitesAliasesList,
  sitesAliasesSet,
  sitesAnnotationsDelete,
  sitesAnnotationsList,
  sitesAnnotationsSave,
  sitesDashboardsDelete,
  sitesDashboardsList,
  sitesDashboardsSave,
  sitesExclusionsAdd,
  sitesExclusionsDelete,
  sitesExclusionsList,
  sitesExperimentsDelete,
  sitesExperimentsList,
  sitesExperimentsSave,
  sitesExport,
  sitesExportDownload,
  sitesExportReport,
  sitesFunnelsDelete,
  sitesFunnelsList,
  sitesFunnelsSave,
  sitesGoalsDelete,
  sitesGoalsList,
  sitesGoalsSave,
  sitesImportsCreate,
  sitesImportsDelete,
  sitesImportsDisconnect,
  sitesImportsFetch,
  sitesImportsList,
  sitesImportsProperties,
  sitesImportsStart,
  sitesImportsUpload,
  sitesKeysCreate,
  sitesKeysList,
  sitesKeysRevoke,
  sitesKeysRotate,
  sitesLinksList,
  sitesLinksCreate,
  sitesLinksRevoke,
  sitesMembersInvitationsWithdraw,
  sitesMembersInvite,
  sitesMembersList,
  sitesMembersRemove,
  sitesMembersUpdate,
  sitesPrivacyGet,
  sitesPrivacyRecord,
  sitesPrivacyUpdate,
  sitesRatesDelete,
  sitesRatesList,
  sitesRatesSet,
  sitesReportsGet,
  sitesAlertsList,
  sitesAlertsSave,
  sitesAlertsDelete,
  sitesAlertsSendTest,
  sitesReportsUpdate,
  sitesReportsPreview,
  sitesReportsSendNow,
  sitesReportsRecipientsAdd,
  sitesReportsRecipientsRemove,
  sitesRetentionGet,
  sitesRetentionUpdate,
  sitesScrubbingAdd,
  sitesScrubbingDelete,
  sitesScrubbingList,
  sitesScrubbingReport,
  sitesSearchEnginesDisconnect,
  sitesSearchEnginesList,
  sitesSearchEnginesRefresh,
  sitesSearchEnginesUpdate,
  sitesSegmentsDelete,
  sitesSegmentsList,
  sitesSegmentsSave,
  sitesWebhooksDelete,
  sitesWebhooksGet,
  sitesWebhooksRotate,
  sitesWebhooksSendTest,
  sitesWebhooksSet,
  sitesTeamSet,
  teamsCreate,
  teamsDelete,
  teamsInvitationsWithdraw,
  teamsList,
  teamsMembersInvite,
  teamsMembersRemove,
  teamsMembersUpdate,
  teamsUpdate,
  accountCapabilities,
  approvalsList,
  approvalsWithdraw,
  analyticsOverview,
  analyticsCampaigns,
  analyticsChanges,
  analyticsChart,
  analyticsCommerce,
  analyticsEvents,
  analyticsExplore,
  analyticsFunnels,
  analyticsFunnelsAdvanced,
  analyticsHeatmap,
  analyticsJourneys,
  analyticsRealtime,
  analyticsExperiments,
  analyticsVitals,
  analyticsSiteSearch,
  analyticsRetention,
  analyticsFilterOptions,
  analyticsReports,
  analyticsSeo,
  analyticsAi,
] as const;

/** Type of each operation by id, for typed callers. */
export type Operations = { [Operation in (typeof all)[number] as Operation["id"]]: Operation };

/** The data that an operation answers with. */
export type Answer<Id extends keyof Operations> = z.output<Operations[Id]["output"]>;

/** Registry of all operations by id. An operation outside this list cannot be called. */
export const OPERATIONS: ReadonlyMap<string, AnyOperation> = new Map(
  all.map((op): [string, AnyOperation] => [op.id, op as unknown as AnyOperation]),
);
