"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ConfirmAction } from "@/components/actions/confirm-action";
import { Button } from "@/components/ui/button";
import { RowButton } from "@/components/ui/row-button";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { t } from "@/lib/texts/translate";

interface Site {
  siteId: number;
  name: string;
}

interface Props {
  team: { teamId: number; name: string };
  sites: readonly Site[];
  /** Sites that the reader owns and can move here. */
  choices: readonly Site[];
  /** Whether the reader owns the team. */
  manages: boolean;
}

/** The sites of a team. Its owners add sites that they own, and take them out. */
export function TeamSites({ team, sites, choices, manages }: Props) {
  const [chosen, setChosen] = useState<number>();
  const [moving, setMoving] = useState<{ site: Site; isIn: boolean }>();
  const router = useRouter();
  const added = choices.find(({ siteId }) => siteId === chosen) ?? choices[0];
  return (
    <Section title={t("Sites")} about={sites.length === 0 ? t("The team has no site yet.") : undefined}>
      {sites.length > 0 && (
        <ul className="-my-2.5 divide-y divide-line">
          {sites.map((site) => (
            <li key={site.siteId} className="flex items-center justify-between gap-4 py-2.5">
              <Link
                href={`/sites/${site.siteId}`}
                prefetch={false}
                className="min-w-0 text-sm font-medium break-words hover:underline"
              >
                {site.name}
              </Link>
              {manages && (
                <RowButton action={t("Take out")} name={site.name} onClick={() => setMoving({ site, isIn: true })} />
              )}
            </li>
          ))}
        </ul>
      )}
      {manages && added && (
        <div className={`flex flex-wrap items-end gap-3 ${sites.length > 0 ? "mt-5 border-t border-line pt-4" : ""}`}>
          <div className="min-w-0 flex-1 basis-48">
            <Select
              label={t("Your site")}
              choices={choices.map(({ siteId, name }) => ({ value: `${siteId}`, label: name }))}
              value={`${added.siteId}`}
              onChange={({ target }) => setChosen(Number(target.value))}
            />
          </div>
          <Button onClick={() => setMoving({ site: added, isIn: false })}>{t("Add to team")}</Button>
        </div>
      )}
      {moving && (
        <ConfirmAction
          operation="sites.team.set"
          input={{ site_id: moving.site.siteId, team_id: moving.isIn ? null : team.teamId }}
          title={
            moving.isIn
              ? t("Take {site} out of {team}?", { site: moving.site.name, team: team.name })
              : t("Add {site} to {team}?", { site: moving.site.name, team: team.name })
          }
          action={moving.isIn ? t("Take out") : t("Add to team")}
          onDone={() => {
            setMoving(undefined);
            setChosen(undefined);
            router.refresh();
          }}
          onCancel={() => setMoving(undefined)}
        >
          <p>
            {moving.isIn
              ? t(
                  "Members lose the role on {site} that the team gives them, with their agents. You stay an owner of it.",
                  { site: moving.site.name },
                )
              : t("All members of {team} get their roles on {site}.", { team: team.name, site: moving.site.name })}
          </p>
        </ConfirmAction>
      )}
    </Section>
  );
}
