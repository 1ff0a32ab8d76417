"use client";

import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { t } from "@/lib/texts/translate";

export function Accept({ token, name, email }: { token: string; name: string; email: string }) {
  const { perform, busy, problems } = useAction("invitations.accept");

  async function accept() {
    const done = await perform({ invitation: token });
    if (done) window.location.replace(done.site_id === null ? `/teams/${done.team_id}` : `/sites/${done.site_id}`);
  }

  return (
    <div className="card space-y-4 p-5">
      {problems.message && <Notice>{problems.message}</Notice>}
      <p className="text-sm break-words text-muted">{t("You are signed in as {email}.", { email })}</p>
      <Button onClick={accept} disabled={busy} className="w-full min-w-0">
        <span className="truncate">{busy ? t("Joining…") : t("Join {name}", { name })}</span>
      </Button>
    </div>
  );
}
