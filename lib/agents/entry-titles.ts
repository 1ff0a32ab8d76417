import { z } from "zod";
import { ACCOUNT_EVENTS } from "@/lib/auth/notices";
import { OPERATIONS } from "@/lib/operations/index";
import { decisionOf } from "@/lib/sites/audit-log";
import { msg } from "@/lib/texts/translate";

/** Titles of log entries that are not operations of agents. */
const EVENTS: Readonly<Record<string, string>> = {
  ...ACCOUNT_EVENTS,
  "account.delete": msg("Account deleted"),
  "admin.administrators.add": msg("Administrator named"),
  "admin.administrators.remove": msg("Administrator removed"),
  "admin.people.disable": msg("Account disabled"),
  "admin.people.enable": msg("Account enabled"),
  "admin.sites.disable": msg("Site disabled by an administrator of the service"),
  "admin.sites.enable": msg("Site enabled by an administrator of the service"),
  "agents.revoke": msg("Disconnected"),
  "agents.narrow": msg("Access reduced"),
  "agents.remove_from_site": msg("Removed from a site"),
  "claims.check": msg("Taken over by domain verification"),
  "events.export": msg("Events exported to a file"),
  "identity.registrations": msg("Registered by domain verification"),
  "identity.recoveries": msg("Replaced the previous client (account recovery)"),
  "invitations.accept": msg("Invitation accepted"),
  "members.leave": msg("Left the site"),
  "oauth.code_reuse": msg("Tokens revoked: a code was used twice"),
  "oauth.refresh_reuse": msg("Tokens revoked: a refresh token was used twice"),
  "search.connect": msg("Search engine connected"),
  "teams.leave": msg("Left a team"),
  "tokens.create": msg("Made"),
};

const consented = z.object({ decision: z.enum(["approve", "deny"]) });

/** Returns what an entry of a log says, such as "Approved: Delete a site". */
export function titleOf({ operation, detail }: { operation: string; detail: unknown }): string {
  if (operation === "oauth.consent") {
    return consented.safeParse(detail).data?.decision === "approve" ? "Consent given" : "Consent denied";
  }
  return titleOfDecision(operation, decisionOf(detail));
}

/** The same of an operation, and what a person decided about it; null for no decision. */
export function titleOfDecision(operation: string, decision: "approved" | "denied" | null): string {
  const title = operation === "oauth.consent" ? "Consent" : (OPERATIONS.get(operation)?.title ?? EVENTS[operation]);
  const words = title ?? operation;
  return decision ? `${decision === "approved" ? "Approved" : "Denied"}: ${words}` : words;
}
