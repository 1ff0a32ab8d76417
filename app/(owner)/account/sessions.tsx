"use client";

import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { useButtonAction } from "@/components/actions/actions";
import { useRemoval } from "@/components/actions/removal";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { RowButton } from "@/components/ui/row-button";
import { Section } from "@/components/ui/section";
import { useMoment } from "@/components/ui/when";
import { t } from "@/lib/texts/translate";

interface Session {
  id: string;
  device: string;
  current: boolean;
  /** When the session started. */
  since: Date;
  seen: ReactNode;
}

/** Lists the person's sessions, with buttons to sign out of each. */
export function Sessions({ sessions }: { sessions: Session[] }) {
  const others = useButtonAction("sessions.revoke_others");
  const { shown, remove } = useRemoval(
    "sessions.revoke",
    sessions,
    ({ id }) => id,
    ({ id }) => ({ session: id }),
  );
  const router = useRouter();
  const formatMoment = useMoment();

  async function endOthers() {
    await others.perform({}, endOthers);
    router.refresh();
  }

  return (
    <Section
      title={t("Where you are signed in")}
      about={t("Sign out any browser that you do not recognise, and change your password.")}
      aside={
        shown.length > 1 && (
          <Button look="quiet" size="small" disabled={others.busy} onClick={endOthers}>
            {t("Sign out everywhere else")}
          </Button>
        )
      }
    >
      <ul className="-my-2.5 divide-y divide-line">
        {shown.map((session) => (
          <li key={session.id} className="flex items-center justify-between gap-4 py-2.5">
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-x-2">
                <span className="text-sm font-medium break-words">{session.device}</span>
                {session.current && <Badge tone="accent">{t("This browser")}</Badge>}
              </p>
              <p className="text-sm text-muted">{session.seen}</p>
            </div>
            {!session.current && (
              <RowButton
                action={t("Sign out")}
                name={t("{device}, signed in {date}", { device: session.device, date: formatMoment(session.since) })}
                disabled={others.busy}
                onClick={() => remove(session)}
              />
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
