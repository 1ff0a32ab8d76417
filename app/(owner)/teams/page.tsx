import type { Metadata } from "next";
import Link from "next/link";
import teamsList from "@/lib/operations/teams.list";
import { t } from "@/lib/texts/translate";
import { query, signedInOwner } from "../access";
import { NewTeam } from "./new-team";

export const generateMetadata = (): Metadata => ({ title: t("Teams") });

export default async function TeamsPage() {
  const owner = await signedInOwner();
  const { teams } = await query(teamsList, owner, {});
  return (
    <div className="mx-auto max-w-3xl space-y-4">
      <header>
        <h1 className="text-2xl font-semibold">{t("Teams")}</h1>
        <p className="mt-1 text-muted">
          {t("People who share sites. A role in a team holds on all its sites, and ends on all of them at once.")}
        </p>
      </header>
      {teams.length > 0 && (
        <ul className="card divide-y divide-line">
          {teams.map((team) => (
            <li key={team.team_id} className="relative px-4 py-3.5 hover:bg-sunken/60 sm:px-5">
              <Link
                href={`/teams/${team.team_id}`}
                prefetch={false}
                className="font-medium break-words after:absolute after:inset-0"
              >
                {team.name}
              </Link>
              <p className="text-sm text-muted">
                {t(
                  "{sites, plural, =0 {No sites} one {# site} other {# sites}}, {members, plural, =0 {No members} one {# member} other {# members}}. You are {role, select, owner {an owner} manager {a manager} other {a viewer}}.",
                  { sites: team.sites.length, members: team.members.length, role: team.role },
                )}
              </p>
            </li>
          ))}
        </ul>
      )}
      <NewTeam isFirst={teams.length === 0} />
    </div>
  );
}
