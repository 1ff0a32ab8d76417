import { listPasskeys } from "@/lib/auth/passkeys";
import { listSessions } from "@/lib/auth/session-list";
import { readSecondFactor } from "@/lib/auth/two-factor-setup";
import type { Owner } from "@/lib/contract/define";
import { ownAgents } from "@/lib/oauth/connections";
import { db } from "@/lib/platform/db";

/**
 * Returns all personal data stored about a person, without secrets or hashes. Dates serialise as ISO 8601 in UTC.
 * Excludes the analytics data of their sites (see the reports) and the audit log, which belongs to the sites, refers to
 * people by id and outlives the account.
 */
export async function exportAccount(owner: Owner, now: Date) {
  const { personId, email } = owner;
  const [
    account,
    second,
    sessions,
    passkeys,
    identities,
    sites,
    teams,
    agents,
    sent,
    received,
    keys,
    saved,
    decisions,
  ] = await Promise.all([
    db().person.findUniqueOrThrow({
      where: { id: personId },
      select: {
        ...{ email: true, name: true, language: true, createdAt: true, confirmedAt: true, passwordHash: true },
        ...{ administrator: true, emailChange: { select: { email: true, createdAt: true } } },
      },
    }),
    readSecondFactor(personId),
    listSessions(owner, now),
    listPasskeys(personId),
    db().providerAccount.findMany({ where: { personId }, orderBy: { createdAt: "asc" } }),
    rolesOf(personId),
    teamsOf(personId),
    agentsOf(personId),
    db().invitation.findMany({ where: { invitedById: personId }, select: { email: true, ...INVITED } }),
    db().invitation.findMany({ where: { email }, select: INVITED }),
    keysOf(personId),
    savedBy(personId),
    decisionsOf(personId),
  ]);
  return {
    exported_at: now,
    account: {
      person_id: personId,
      email: account.email,
      email_confirmed_at: account.confirmedAt,
      new_email: account.emailChange && { email: account.emailChange.email, asked_at: account.emailChange.createdAt },
      name: account.name,
      language: account.language,
      administrator: account.administrator,
      created_at: account.createdAt,
      has_password: account.passwordHash !== null,
      second_step: { since: second.since, recovery_codes_left: second.codesLeft },
    },
    sessions: sessions.map(({ device, createdAt, lastSeenAt, current }) => ({
      device,
      signed_in_at: createdAt,
      last_seen_at: lastSeenAt,
      this_browser: current,
    })),
    passkeys: passkeys.map(({ name, createdAt, lastUsedAt, formerHost }) => ({
      name,
      added_at: createdAt,
      last_used_at: lastUsedAt,
      former_host: formerHost,
    })),
    provider_identities: identities.map(({ issuer, subject, email, createdAt, lastUsedAt }) => ({
      issuer,
      subject,
      email,
      linked_at: createdAt,
      last_used_at: lastUsedAt,
    })),
    sites,
    teams,
    agents,
    ingest_keys_made: keys,
    saved_on_sites: saved,
    invitations_sent: sent.map((one) => ({ email: one.email, ...invitation(one) })),
    invitations_received: received.map(invitation),
    approvals_decided: decisions,
  };
}

async function rolesOf(personId: number) {
  const rows = await db().membership.findMany({
    where: { personId },
    include: { site: { select: { name: true, createdAt: true, domains: { orderBy: { id: "asc" } } } } },
    orderBy: { siteId: "asc" },
  });
  return rows.map(({ siteId, role, teamRole, createdAt, pinned, site }) => ({
    site_id: siteId,
    name: site.name,
    domains: site.domains.map(({ host }) => host),
    created_at: site.createdAt,
    role,
    team_role: teamRole,
    role_since: createdAt,
    pinned,
  }));
}

async function teamsOf(personId: number) {
  const rows = await db().teamMember.findMany({
    where: { personId },
    include: { team: true },
    orderBy: { teamId: "asc" },
  });
  return rows.map(({ teamId, role, createdAt, team }) => ({
    team_id: teamId,
    name: team.name,
    role,
    role_since: createdAt,
  }));
}

async function agentsOf(personId: number) {
  const rows = await db().client.findMany({
    where: ownAgents(personId),
    include: { account: { select: { domain: true, contactEmail: true } }, sites: { orderBy: { siteId: "asc" } } },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  return rows.map((row) => ({
    client_id: row.id,
    name: row.name,
    kind: row.kind,
    domain: row.account?.domain ?? null,
    contact_email: row.account?.contactEmail ?? null,
    scopes: row.grantedScopes,
    site_ids: row.sites.map(({ siteId }) => siteId),
    connected_at: row.createdAt,
    last_used_at: row.lastUsedAt,
    expires_at: row.expiresAt,
    disconnected_at: row.revokedAt,
  }));
}

async function keysOf(personId: number) {
  const rows = await db().ingestKey.findMany({ where: { createdById: personId }, orderBy: { id: "asc" } });
  return rows.map((row) => ({
    site_id: row.siteId,
    name: row.name,
    created_at: row.createdAt,
    ends_at: row.expiresAt,
  }));
}

/** Returns what the person saved on sites. It stays there after the account is deleted. */
async function savedBy(personId: number) {
  const made = { where: { createdById: personId }, select: { siteId: true, name: true, createdAt: true } };
  const kinds = await Promise.all([
    db().segment.findMany(made),
    db().dashboard.findMany(made),
    db().goal.findMany(made),
    db().funnel.findMany(made),
    db().experiment.findMany(made),
  ]);
  const names = ["segment", "dashboard", "goal", "funnel", "experiment"] as const;
  const annotations = await db().annotation.findMany({ where: { createdById: personId }, orderBy: { id: "asc" } });
  return [
    ...kinds.flatMap((rows, index) =>
      rows.map((row) => ({ kind: names[index], site_id: row.siteId, name: row.name, created_at: row.createdAt })),
    ),
    ...annotations.map(({ siteId, text, createdAt }) => {
      return { kind: "annotation", site_id: siteId, name: text, created_at: createdAt };
    }),
  ];
}

async function decisionsOf(personId: number) {
  const rows = await db().approval.findMany({ where: { approverId: personId }, orderBy: { decidedAt: "asc" } });
  return rows.map((row) => ({
    approval_id: row.id,
    operation: row.operation,
    site_id: row.siteId,
    client_id: row.clientId,
    status: row.status,
    decided_at: row.decidedAt,
  }));
}

const INVITED = { siteId: true, teamId: true, role: true, createdAt: true, expiresAt: true } as const;
const invitation = (one: {
  siteId: number | null;
  teamId: number | null;
  role: string;
  createdAt: Date;
  expiresAt: Date;
}) => ({
  site_id: one.siteId,
  team_id: one.teamId,
  role: one.role,
  sent_at: one.createdAt,
  ends_at: one.expiresAt,
});
