"use client";

import { useRouter } from "next/navigation";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import { Section } from "@/components/ui/section";

/** Form for a new team. @param isFirst whether it also says what teams are for */
export function NewTeam({ isFirst }: { isFirst: boolean }) {
  const { perform, busy, problems } = useAction("teams.create", { fields: ["name"] });
  const router = useRouter();

  async function submit(formData: FormData) {
    const made = await perform({ name: String(formData.get("name")) });
    if (made) router.push(`/teams/${made.team_id}`);
  }

  return (
    <Section
      title={isFirst ? "Make your first team" : "New team"}
      about={
        isFirst
          ? "For an agency with its clients’ sites, or a company with several: invite someone once instead of on each site."
          : "You are its owner. Sites and people come next."
      }
    >
      <Form problem={problems.message} onSubmit={submit}>
        <div className="flex flex-wrap items-start gap-3">
          <div className="min-w-0 flex-1 basis-56">
            <Field
              label="Name"
              name="name"
              autoComplete="off"
              placeholder="Acme"
              maxLength={100}
              required
              problem={problems.fields.name}
            />
          </div>
          <Button type="submit" disabled={busy} className="mt-[1.625rem]">
            {busy ? "Making…" : "Make team"}
          </Button>
        </div>
      </Form>
    </Section>
  );
}
