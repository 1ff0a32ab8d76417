"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ConfirmAction } from "@/components/actions/confirm-action";
import { Button, ButtonLink } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";

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
      title="Team"
      about={
        team ? (
          <>
            This site belongs to{" "}
            {team.isMine ? (
              <Link href={`/teams/${team.teamId}`} className="font-medium text-accent hover:underline">
                {team.name}
              </Link>
            ) : (
              team.name
            )}
            . Its members have their roles here too.
          </>
        ) : (
          "Members of a team have their roles on all its sites. This site is in none."
        )
      }
    >
      {manages && (
        <div className="flex flex-wrap items-end gap-3">
          {choices.length > 0 && (
            <>
              <div className="min-w-0 flex-1 basis-48 sm:max-w-72">
                <Select
                  label="Team"
                  choices={choices.map(({ teamId, name }) => ({ value: `${teamId}`, label: name }))}
                  value={`${chosen}`}
                  onChange={({ target }) => setChosen(Number(target.value))}
                />
              </div>
              <Button look="quiet" onClick={() => setMoving({ teamId: chosen })}>
                Move to this team
              </Button>
            </>
          )}
          {team && (
            <Button look="quiet" onClick={() => setMoving({ teamId: null })}>
              Take out of {team.name}
            </Button>
          )}
          {choices.length === 0 && !team && (
            <ButtonLink href="/teams" look="quiet">
              Make a team
            </ButtonLink>
          )}
        </div>
      )}
      {moving && (
        <ConfirmAction
          operation="sites.team.set"
          input={{ site_id: site.siteId, team_id: moving.teamId }}
          title={
            moving.teamId === null ? `Take ${site.name} out of ${team?.name}?` : `Move ${site.name} to ${to?.name}?`
          }
          action={moving.teamId === null ? "Take out" : "Move"}
          onDone={() => {
            setMoving(undefined);
            router.refresh();
          }}
          onCancel={() => setMoving(undefined)}
        >
          <p>
            {team &&
              `Members of ${team.name} lose the role here that it gives them, with their agents. You stay an owner. `}
            {moving.teamId !== null && `All members of ${to?.name} get their roles on ${site.name}.`}
          </p>
        </ConfirmAction>
      )}
    </Section>
  );
}
