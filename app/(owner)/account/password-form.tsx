"use client";

import { useRouter } from "next/navigation";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Form } from "@/components/ui/form";
import { NewPasswordField } from "@/components/ui/new-password-field";
import { t } from "@/lib/texts/translate";

export function PasswordForm({ email, isNew }: { email: string; isNew: boolean }) {
  const { perform, busy, problems } = useAction("password.change", { fields: ["password"] });
  const router = useRouter();

  async function submit(formData: FormData, form: HTMLFormElement) {
    const done = await perform({
      password: String(formData.get("password")),
      disconnect_agents: formData.get("disconnect_agents") !== null,
    });
    if (!done) return;
    form.reset();
    router.refresh();
  }

  return (
    <Form problem={problems.message} onSubmit={submit}>
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-0 flex-1 basis-64">
          <NewPasswordField email={email} label={t("New password")} problem={problems.fields.password} />
        </div>
        <Button type="submit" disabled={busy} className="sm:mt-[1.625rem]">
          {busy ? t("Changing…") : isNew ? t("Set a password") : t("Change password")}
        </Button>
      </div>
      <div className="-mx-4">
        <Checkbox
          name="disconnect_agents"
          defaultChecked
          label={t("Disconnect all agents and revoke all tokens too")}
          hint={t("Recommended if someone else may know the old password. You can connect agents again.")}
        />
      </div>
    </Form>
  );
}
