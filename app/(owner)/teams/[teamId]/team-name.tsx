"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { ConfirmAction } from "@/components/actions/confirm-action";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import { t } from "@/lib/texts/translate";
import { TeamNameForm } from "../name-form";

interface Props {
  team: { teamId: number; name: string };
  hasSites: boolean;
}

/** Renames or deletes a team. */
export function TeamName({ team, hasSites }: Props) {
  const { perform, busy, problems } = useAction("teams.update", { fields: ["name"] });
  const [isDeleting, setDeleting] = useState(false);
  const router = useRouter();

  return (
    <Section title={t("Name")}>
      <TeamNameForm
        problem={problems.fields.name}
        message={problems.message}
        busy={busy}
        name={team.name}
        action={t("Save")}
        onSubmit={async (name) => {
          if (await perform({ team_id: team.teamId, name })) router.refresh();
        }}
      />
      <div className="mt-5 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
        <p className="text-sm text-muted">
          {hasSites
            ? t("A team can be deleted once its sites are taken out.")
            : t("Members and open invitations go with the team.")}
        </p>
        <Button look="danger" size="small" disabled={hasSites} onClick={() => setDeleting(true)}>
          {t("Delete team")}
        </Button>
      </div>
      {isDeleting && (
        <ConfirmAction
          operation="teams.delete"
          input={{ team_id: team.teamId }}
          title={t("Delete {name}?", { name: team.name })}
          action={t("Delete team")}
          onDone={() => window.location.assign("/teams")}
          onCancel={() => setDeleting(false)}
        >
          <p>{t("It has no sites, so nobody loses access to one. Open invitations stop working.")}</p>
        </ConfirmAction>
      )}
    </Section>
  );
}
