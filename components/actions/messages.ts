type Fields = Record<string, unknown>;

/** Where an email lies that nobody gets. */
const IN_OUTBOX = "This service has no mail server: its operator finds the email in the folder outbox of DATA_DIR.";

/** Toast texts for operations whose effect is not visible on the page, by what was sent and what came back. */
export const MESSAGES: Readonly<Record<string, string | ((input: Fields, data: Fields) => string)>> = {
  "agents.remove_from_site": "The agent is removed from the site.",
  "agents.revoke": "It has no access any more.",
  "sites.dashboards.delete": "The dashboard is deleted.",
  "sites.dashboards.save": "The dashboard is saved.",
  "sites.annotations.delete": "The annotation is deleted.",
  "sites.annotations.save": "The annotation is saved.",
  "sites.domains.add": "The domain is added.",
  "sites.domains.delete": "The domain is removed.",
  "account.rename": "Your name is saved.",
  "email.cancel_change": "The new address is withdrawn.",
  "email.send_confirmation": (_, { delivered }) => (delivered ? "The confirmation email is on its way." : IN_OUTBOX),
  "sites.experiments.delete": "The experiment is deleted.",
  "sites.experiments.save": "The experiment is saved.",
  "sites.funnels.delete": "The funnel is deleted.",
  "sites.funnels.save": "The funnel is saved.",
  "sites.aliases.set": "Saved. Takes effect within 10 seconds.",
  "sites.exclusions.add": "Saved. Takes effect within 10 seconds.",
  "sites.goals.delete": "The goal is deleted.",
  "sites.goals.save": "The goal is saved.",
  "sites.keys.revoke": "The key is revoked.",
  "passkeys.add": "The passkey is added.",
  "passkeys.remove": "The passkey is removed.",
  "provider.unlink": "The identity is unlinked.",
  "password.change": "Your password is changed, and every other browser is signed out.",
  "sites.proxy.update": "Saved. Takes effect within 10 seconds.",
  "sites.segments.delete": "The segment is deleted.",
  "sites.segments.save": "The segment is saved.",
  "sessions.revoke": "That browser is signed out.",
  "sessions.revoke_others": "Every other browser is signed out.",
  "sites.members.invitations.withdraw": "The invitation is withdrawn.",
  "sites.members.invite": ({ email }, { delivered }) =>
    delivered ? `An email to ${email} is on its way.` : `The invitation of ${email} is ready. Pass on its link.`,
  "sites.members.remove": "The member is removed.",
  "sites.members.update": "The role is changed.",
  "sites.privacy.update": "Saved.",
  "sites.rates.set": "The rate is saved.",
  "sites.retention.update": "Saved.",
  "sites.settings.update": "Saved.",
  "sites.webhooks.delete": "The webhook is removed.",
  "sites.webhooks.set": "The webhook is saved.",
};
