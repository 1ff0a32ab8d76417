"use client";

import { useRouter } from "next/navigation";
import type { FormEvent } from "react";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { NewPasswordField } from "@/components/ui/new-password-field";
import { Notice } from "@/components/ui/notice";

export function PasswordForm({ email }: { email: string }) {
  const { perform, busy, problems } = useAction("password.change");
  const router = useRouter();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const formData = new FormData(form);
    const done = await perform({
      password: String(formData.get("password")),
      disconnect_agents: formData.get("disconnect_agents") !== null,
    });
    if (!done) return;
    form.reset();
    router.refresh();
  }

  return (
    <form onSubmit={submit} noValidate className="space-y-4">
      {problems.message && <Notice>{problems.message}</Notice>}
      {/* For the browser's password manager. */}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-0 flex-1 basis-64">
          <NewPasswordField label="New password" problem={problems.fields.password} />
        </div>
        <Button type="submit" disabled={busy} className="sm:mt-[1.625rem]">
          {busy ? "Changing…" : "Change password"}
        </Button>
      </div>
      <div className="-mx-4">
        <Checkbox
          name="disconnect_agents"
          defaultChecked
          label="Disconnect all agents too"
          hint="Recommended if someone else may know the old password. You can connect them again."
        />
      </div>
    </form>
  );
}
