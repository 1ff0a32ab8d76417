import type { AnyPersonalOperation } from "@/lib/contract/define";
import accountDelete from "@/lib/operations/personal/account.delete";
import accountRename from "@/lib/operations/personal/account.rename";
import accountSecure from "@/lib/operations/personal/account.secure";
import accountSetLanguage from "@/lib/operations/personal/account.set_language";
import adminMailSendTest from "@/lib/operations/personal/admin.mail.send_test";
import adminPeopleSetAdministrator from "@/lib/operations/personal/admin.people.set_administrator";
import adminPeopleSetDisabled from "@/lib/operations/personal/admin.people.set_disabled";
import adminSitesSetDisabled from "@/lib/operations/personal/admin.sites.set_disabled";
import agentsNarrow from "@/lib/operations/personal/agents.narrow";
import agentsRemoveFromSite from "@/lib/operations/personal/agents.remove_from_site";
import agentsRevoke from "@/lib/operations/personal/agents.revoke";
import approvalsDecide from "@/lib/operations/personal/approvals.decide";
import auditUndo from "@/lib/operations/personal/audit.undo";
import authorizeDecide from "@/lib/operations/personal/authorize.decide";
import claimsCheck from "@/lib/operations/personal/claims.check";
import claimsStart from "@/lib/operations/personal/claims.start";
import deviceDecide from "@/lib/operations/personal/device.decide";
import deviceFind from "@/lib/operations/personal/device.find";
import emailCancelChange from "@/lib/operations/personal/email.cancel_change";
import emailChange from "@/lib/operations/personal/email.change";
import emailConfirm from "@/lib/operations/personal/email.confirm";
import emailConfirmChange from "@/lib/operations/personal/email.confirm_change";
import emailSendConfirmation from "@/lib/operations/personal/email.send_confirmation";
import importsConnect from "@/lib/operations/personal/imports.connect";
import invitationsAccept from "@/lib/operations/personal/invitations.accept";
import membersLeave from "@/lib/operations/personal/members.leave";
import monitoringEmails from "@/lib/operations/personal/monitoring.emails";
import passkeysAdd from "@/lib/operations/personal/passkeys.add";
import passkeysAskOwner from "@/lib/operations/personal/passkeys.ask_owner";
import passkeysRemove from "@/lib/operations/personal/passkeys.remove";
import passkeysStart from "@/lib/operations/personal/passkeys.start";
import passwordChange from "@/lib/operations/personal/password.change";
import providerUnlink from "@/lib/operations/personal/provider.unlink";
import searchConnect from "@/lib/operations/personal/search.connect";
import sessionReauthenticate from "@/lib/operations/personal/session.reauthenticate";
import sessionsRevoke from "@/lib/operations/personal/sessions.revoke";
import sessionsRevokeOthers from "@/lib/operations/personal/sessions.revoke_others";
import sitesPin from "@/lib/operations/personal/sites.pin";
import teamsLeave from "@/lib/operations/personal/teams.leave";
import tokensCreate from "@/lib/operations/personal/tokens.create";
import totpConfirm from "@/lib/operations/personal/totp.confirm";
import totpRenewCodes from "@/lib/operations/personal/totp.renew_codes";
import totpStart from "@/lib/operations/personal/totp.start";
import totpStop from "@/lib/operations/personal/totp.stop";

const all = [
  accountDelete,
  accountRename,
  accountSetLanguage,
  accountSecure,
  adminMailSendTest,
  adminPeopleSetAdministrator,
  adminPeopleSetDisabled,
  adminSitesSetDisabled,
  agentsNarrow,
  agentsRemoveFromSite,
  agentsRevoke,
  approvalsDecide,
  auditUndo,
  authorizeDecide,
  claimsCheck,
  claimsStart,
  deviceDecide,
  deviceFind,
  emailCancelChange,
  emailChange,
  emailConfirm,
  emailConfirmChange,
  emailSendConfirmation,
  invitationsAccept,
  membersLeave,
  monitoringEmails,
  passkeysAdd,
  passkeysAskOwner,
  passkeysRemove,
  passkeysStart,
  passwordChange,
  providerUnlink,
  importsConnect,
  searchConnect,
  sessionReauthenticate,
  sessionsRevoke,
  sessionsRevokeOthers,
  sitesPin,
  teamsLeave,
  tokensCreate,
  totpConfirm,
  totpRenewCodes,
  totpStart,
  totpStop,
] as const;

/** Type of each personal operation by id, for typed callers. */
export type PersonalOperations = { [Operation in (typeof all)[number] as Operation["id"]]: Operation };

/** Registry of all personal operations by id. */
export const PERSONAL_OPERATIONS: ReadonlyMap<string, AnyPersonalOperation> = new Map(
  all.map((operation): [string, AnyPersonalOperation] => [operation.id, operation]),
);
