import { msg, t } from "@/lib/texts/translate";

type Fields = Record<string, unknown>;

/** Where an email lies that nobody gets. */
const IN_OUTBOX = msg(
  "This service has no mail server: its operator finds the email in the folder outbox of DATA_DIR.",
);

const inviteText = (email: string, delivered: unknown): string =>
  delivered
    ? t("An email to {email} is on its way.", { email })
    : t("The invitation of {email} is ready. Pass on its link.", { email });

/** Toast texts, to translate, for operations whose effect is not visible on the page, by what was sent and what came back. */
export const MESSAGES: Readonly<Record<string, string | ((input: Fields, data: Fields) => string)>> = {
  "agents.remove_from_site": msg("The agent is removed from the site."),
  "agents.revoke": msg("It has no access any more."),
  "sites.dashboards.delete": msg("The dashboard is deleted."),
  "sites.dashboards.save": msg("The dashboard is saved."),
  "sites.annotations.delete": msg("The annotation is deleted."),
  "sites.annotations.save": msg("The annotation is saved."),
  "sites.domains.add": msg("The domain is added."),
  "sites.domains.delete": msg("The domain is removed."),
  "account.rename": msg("Your name is saved."),
  "email.cancel_change": msg("The new address is withdrawn."),
  "email.send_confirmation": (_, { delivered }) =>
    t(delivered ? msg("The confirmation email is on its way.") : IN_OUTBOX),
  "sites.experiments.delete": msg("The experiment is deleted."),
  "sites.experiments.save": msg("The experiment is saved."),
  "sites.funnels.delete": msg("The funnel is deleted."),
  "sites.funnels.save": msg("The funnel is saved."),
  "sites.aliases.set": msg("Saved. Takes effect within 10 seconds."),
  "sites.exclusions.add": msg("Saved. Takes effect within 10 seconds."),
  "sites.goals.delete": msg("The goal is deleted."),
  "sites.goals.save": msg("The goal is saved."),
  "sites.keys.revoke": msg("The key is revoked."),
  "passkeys.add": msg("The passkey is added."),
  "passkeys.remove": msg("The passkey is removed."),
  "provider.unlink": msg("The identity is unlinked."),
  "password.change": msg("Your password is changed, and every other browser is signed out."),
  "sites.proxy.update": msg("Saved. Takes effect within 10 seconds."),
  "sites.segments.delete": msg("The segment is deleted."),
  "sites.segments.save": msg("The segment is saved."),
  "sessions.revoke": msg("That browser is signed out."),
  "sessions.revoke_others": msg("Every other browser is signed out."),
  "sites.members.invitations.withdraw": msg("The invitation is withdrawn."),
  "sites.members.invite": ({ email }, { delivered }) => inviteText(`${email}`, delivered),
  "sites.members.remove": msg("The member is removed."),
  "sites.members.update": msg("The role is changed."),
  "sites.team.set": ({ team_id }) =>
    team_id === null ? t("The site is out of the team.") : t("The site is in the team."),
  "sites.privacy.update": msg("Saved."),
  "sites.rates.set": msg("The rate is saved."),
  "sites.retention.update": msg("Saved."),
  "sites.settings.update": msg("Saved."),
  "teams.delete": msg("The team is deleted."),
  "teams.invitations.withdraw": msg("The invitation is withdrawn."),
  "teams.members.invite": ({ email }, { delivered }) => inviteText(`${email}`, delivered),
  "teams.members.remove": msg("The member is removed."),
  "teams.members.update": msg("The role is changed."),
  "teams.update": msg("Saved."),
  "sites.webhooks.delete": msg("The webhook is removed."),
  "sites.webhooks.set": msg("The webhook is saved."),
};
