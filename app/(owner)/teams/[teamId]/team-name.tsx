"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { ConfirmAction } from "@/components/actions/confirm-action";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import { Section } from "@/components/ui/section";

interface Props {
  team: { teamId: number; name: string };
  hasSites: boolean;
}

/** Renames or deletes a team. */
export function TeamName({ team, hasSites }: Props) {
  const { perform, busy, problems } = useAction("teams.update", { fields: ["name"] });
  const [isDeleting, setDeleting] = useState(false);
  const router = useRouter();

  async function submit(formData: FormData) {
    if (await perform({ team_id: team.teamId, name: String(formData.get("name")) })) router.refresh();
  }

  return (
    <Section title="Name">
      <Form problem={problems.message} onSubmit={submit}>
        <div className="flex flex-wrap items-start gap-3">
          <div className="min-w-0 flex-1 basis-56">
            <Field
              label="Name"
              name="name"
              autoComplete="off"
              defaultValue={team.name}
              maxLength={100}
              required
              problem={problems.fields.name}
            />
          </div>
          <Button type="submit" disabled={busy} className="mt-[1.625rem]">
            Save
          </Button>
        </div>
      </Form>
      <div className="mt-5 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
        <p className="text-sm text-muted">
          {hasSites
            ? "A team can be deleted once its sites are taken out."
            : "Members and open invitations go with the team."}
        </p>
        <Button look="danger" size="small" disabled={hasSites} onClick={() => setDeleting(true)}>
          Delete team
        </Button>
      </div>
      {isDeleting && (
        <ConfirmAction
          operation="teams.delete"
          input={{ team_id: team.teamId }}
          title={`Delete ${team.name}?`}
          action="Delete team"
          onDone={() => window.location.assign("/teams")}
          onCancel={() => setDeleting(false)}
        >
          <p>It has no sites, so nobody loses access to one. Open invitations stop working.</p>
        </ConfirmAction>
      )}
    </Section>
  );
}
