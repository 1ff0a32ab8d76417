import { z } from "zod";
import { ACCOUNT_EVENTS } from "@/lib/auth/notices";
import { OPERATIONS } from "@/lib/operations/index";
import { decisionOf } from "@/lib/sites/audit-log";

/** Titles of log entries that are not operations of agents. */
const EVENTS: Readonly<Record<string, string>> = {
  ...ACCOUNT_EVENTS,
  "account.delete": "Account deleted",
  "admin.administrators.add": "Administrator named",
  "admin.administrators.remove": "Administrator removed",
  "admin.people.disable": "Account disabled",
  "admin.people.enable": "Account enabled",
  "admin.sites.disable": "Site disabled by an administrator of the service",
  "admin.sites.enable": "Site enabled by an administrator of the service",
  "agents.revoke": "Disconnected",
  "agents.narrow": "Access reduced",
  "agents.remove_from_site": "Removed from a site",
  "claims.check": "Taken over by domain verification",
  "events.export": "Events exported to a file",
  "identity.registrations": "Registered by domain verification",
  "identity.recoveries": "Replaced the previous client (account recovery)",
  "invitations.accept": "Invitation accepted",
  "members.leave": "Left the site",
  "oauth.code_reuse": "Tokens revoked: a code was used twice",
  "oauth.refresh_reuse": "Tokens revoked: a refresh token was used twice",
  "search.connect": "Search engine connected",
  "teams.leave": "Left a team",
  "tokens.create": "Made",
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
