import accountDelete from "@/lib/deeds/account.delete";
import accountSecure from "@/lib/deeds/account.secure";
import agentsNarrow from "@/lib/deeds/agents.narrow";
import agentsRemoveFromSite from "@/lib/deeds/agents.remove_from_site";
import agentsRevoke from "@/lib/deeds/agents.revoke";
import approvalsDecide from "@/lib/deeds/approvals.decide";
import claimsCheck from "@/lib/deeds/claims.check";
import claimsStart from "@/lib/deeds/claims.start";
import dashboardsDelete from "@/lib/deeds/dashboards.delete";
import dashboardsSave from "@/lib/deeds/dashboards.save";
import type { AnyDeed } from "@/lib/deeds/define";
import deviceDecide from "@/lib/deeds/device.decide";
import deviceFind from "@/lib/deeds/device.find";
import domainsAdd from "@/lib/deeds/domains.add";
import domainsMakePrimary from "@/lib/deeds/domains.make_primary";
import domainsRemove from "@/lib/deeds/domains.remove";
import domainsVerify from "@/lib/deeds/domains.verify";
import emailConfirm from "@/lib/deeds/email.confirm";
import emailSendConfirmation from "@/lib/deeds/email.send_confirmation";
import exclusionsAdd from "@/lib/deeds/exclusions.add";
import exclusionsRemove from "@/lib/deeds/exclusions.remove";
import experimentsDelete from "@/lib/deeds/experiments.delete";
import experimentsSave from "@/lib/deeds/experiments.save";
import funnelsDelete from "@/lib/deeds/funnels.delete";
import funnelsSave from "@/lib/deeds/funnels.save";
import goalsDelete from "@/lib/deeds/goals.delete";
import goalsSave from "@/lib/deeds/goals.save";
import installationStart from "@/lib/deeds/installation.start";
import installationStop from "@/lib/deeds/installation.stop";
import invitationsAccept from "@/lib/deeds/invitations.accept";
import invitationsSend from "@/lib/deeds/invitations.send";
import invitationsWithdraw from "@/lib/deeds/invitations.withdraw";
import keepingUpdate from "@/lib/deeds/keeping.update";
import keysMake from "@/lib/deeds/keys.make";
import keysRevoke from "@/lib/deeds/keys.revoke";
import keysRotate from "@/lib/deeds/keys.rotate";
import membersChangeRole from "@/lib/deeds/members.change_role";
import membersLeave from "@/lib/deeds/members.leave";
import membersRemove from "@/lib/deeds/members.remove";
import monitoringLetters from "@/lib/deeds/monitoring.letters";
import monitoringUpdate from "@/lib/deeds/monitoring.update";
import passwordChange from "@/lib/deeds/password.change";
import privacyUpdate from "@/lib/deeds/privacy.update";
import proxyUpdate from "@/lib/deeds/proxy.update";
import ratesRemove from "@/lib/deeds/rates.remove";
import ratesSet from "@/lib/deeds/rates.set";
import reportsSubscribe from "@/lib/deeds/reports.subscribe";
import segmentsDelete from "@/lib/deeds/segments.delete";
import segmentsSave from "@/lib/deeds/segments.save";
import sessionReauthenticate from "@/lib/deeds/session.reauthenticate";
import sessionsRevoke from "@/lib/deeds/sessions.revoke";
import sessionsRevokeOthers from "@/lib/deeds/sessions.revoke_others";
import settingsUpdate from "@/lib/deeds/settings.update";
import sitesDelete from "@/lib/deeds/sites.delete";
import sitesTransfer from "@/lib/deeds/sites.transfer";
import totpConfirm from "@/lib/deeds/totp.confirm";
import totpRenewCodes from "@/lib/deeds/totp.renew_codes";
import totpStart from "@/lib/deeds/totp.start";
import totpStop from "@/lib/deeds/totp.stop";
import trackingStart from "@/lib/deeds/tracking.start";
import trackingStop from "@/lib/deeds/tracking.stop";
import webhooksRemove from "@/lib/deeds/webhooks.remove";
import webhooksRotate from "@/lib/deeds/webhooks.rotate";
import webhooksSet from "@/lib/deeds/webhooks.set";
import webhooksTry from "@/lib/deeds/webhooks.try";

const all: AnyDeed[] = [
  accountDelete,
  accountSecure,
  agentsNarrow,
  agentsRemoveFromSite,
  agentsRevoke,
  approvalsDecide,
  claimsCheck,
  claimsStart,
  dashboardsDelete,
  dashboardsSave,
  deviceDecide,
  deviceFind,
  domainsAdd,
  domainsMakePrimary,
  domainsRemove,
  domainsVerify,
  emailConfirm,
  emailSendConfirmation,
  exclusionsAdd,
  exclusionsRemove,
  experimentsDelete,
  experimentsSave,
  funnelsDelete,
  funnelsSave,
  goalsDelete,
  goalsSave,
  installationStart,
  installationStop,
  invitationsAccept,
  invitationsSend,
  invitationsWithdraw,
  keepingUpdate,
  keysMake,
  keysRevoke,
  keysRotate,
  membersChangeRole,
  membersLeave,
  membersRemove,
  monitoringLetters,
  monitoringUpdate,
  passwordChange,
  privacyUpdate,
  proxyUpdate,
  ratesSet,
  ratesRemove,
  reportsSubscribe,
  segmentsDelete,
  segmentsSave,
  sessionReauthenticate,
  sessionsRevoke,
  sessionsRevokeOthers,
  settingsUpdate,
  sitesDelete,
  sitesTransfer,
  totpConfirm,
  totpRenewCodes,
  totpStart,
  totpStop,
  trackingStart,
  trackingStop,
  webhooksRemove,
  webhooksRotate,
  webhooksSet,
  webhooksTry,
];

/** Everything a signed-in person can do on a page, by its name. The only list. */
export const DEEDS: ReadonlyMap<string, AnyDeed> = new Map(all.map((deed) => [deed.id, deed]));
