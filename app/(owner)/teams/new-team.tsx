"use client";

import { useRouter } from "next/navigation";
import { useAction } from "@/components/actions/actions";
import { Section } from "@/components/ui/section";
import { t } from "@/lib/texts/translate";
import { TeamNameForm } from "./name-form";

/** Form for a new team. @param isFirst whether it also says what teams are for */
export function NewTeam({ isFirst }: { isFirst: boolean }) {
  const { perform, busy, problems } = useAction("teams.create", { fields: ["name"] });
  const router = useRouter();

  return (
    <Section
      title={isFirst ? t("Make your first team") : t("New team")}
      about={
        isFirst
          ? t(
              "For an agency with its clients’ sites, or a company with several: invite someone once instead of on each site.",
            )
          : t("You are its owner. Sites and people come next.")
      }
    >
      <TeamNameForm
        problem={problems.fields.name}
        message={problems.message}
        busy={busy}
        action={busy ? t("Making…") : t("Make team")}
        onSubmit={async (name) => {
          const made = await perform({ name });
          if (made) router.push(`/teams/${made.team_id}`);
        }}
      />
    </Section>
  );
}
