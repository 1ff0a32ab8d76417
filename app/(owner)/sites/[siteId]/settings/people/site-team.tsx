"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ConfirmAction } from "@/components/actions/confirm-action";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { rich } from "@/components/ui/rich";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { t } from "@/lib/texts/translate";

interface Props {
  site: { siteId: number; name: string };
  /** The team of the site, and whether the reader is in it; null without one. */
  team: { teamId: number; name: string; isMine: boolean } | null;
  /** Other teams that the reader owns. */
  choices: readonly { teamId: number; name: string }[];
  /** Whether the reader owns the site. */
  manages: boolean;
}

/** The team of a site, and moving it to another one or out. */
export function SiteTeam({ site, team, choices, manages }: Props) {
  const [chosen, setChosen] = useState<number | null>(choices[0]?.teamId ?? null);
  const [moving, setMoving] = useState<{ teamId: number | null }>();
  const router = useRouter();
  const to = choices.find(({ teamId }) => teamId === (moving?.teamId ?? chosen));
  return (
    <Section
      title={t("Team")}
      about={
        team
          ? rich("This site belongs to {team}. Its members have their roles here too.", {
              team: team.isMine ? (
                <Link href={`/teams/${team.teamId}`} className="font-medium text-accent hover:underline">
                  {team.name}
                </Link>
              ) : (
                team.name
              ),
            })
          : t("Members of a team have their roles on all its sites. This site is in none.")
      }
    >
      {manages && (
        <div className="flex flex-wrap items-end gap-3">
          {choices.length > 0 && (
            <>
              <div className="min-w-0 flex-1 basis-48 sm:max-w-72">
                <Select
                  label={t("Team")}
                  choices={choices.map(({ teamId, name }) => ({ value: `${teamId}`, label: name }))}
                  value={`${chosen}`}
                  onChange={({ target }) => setChosen(Number(target.value))}
                />
              </div>
              <Button look="quiet" onClick={() => setMoving({ teamId: chosen })}>
                {t("Move to this team")}
              </Button>
            </>
          )}
          {team && (
            <Button look="quiet" onClick={() => setMoving({ teamId: null })}>
              {t("Take out of {team}", { team: team.name })}
            </Button>
          )}
          {choices.length === 0 && !team && (
            <ButtonLink href="/teams" look="quiet">
              {t("Make a team")}
            </ButtonLink>
          )}
        </div>
      )}
      {moving && (
        <ConfirmAction
          operation="sites.team.set"
          input={{ site_id: site.siteId, team_id: moving.teamId }}
          title={
            moving.teamId === null
              ? t("Take {site} out of {team}?", { site: site.name, team: team?.name ?? "" })
              : t("Move {site} to {team}?", { site: site.name, team: to?.name ?? "" })
          }
          action={moving.teamId === null ? t("Take out") : t("Move")}
          onDone={() => {
            setMoving(undefined);
            router.refresh();
          }}
          onCancel={() => setMoving(undefined)}
        >
          <p>
            {[
              team &&
                t("Members of {team} lose the role here that it gives them, with their agents. You stay an owner.", {
                  team: team.name,
                }),
              to &&
                moving.teamId !== null &&
                t("All members of {team} get their roles on {site}.", { team: to.name, site: site.name }),
            ]
              .filter(Boolean)
              .join(" ")}
          </p>
        </ConfirmAction>
      )}
    </Section>
  );
}
