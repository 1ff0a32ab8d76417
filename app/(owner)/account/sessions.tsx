"use client";

import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { useButtonAction } from "@/components/actions/actions";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import { useMoment } from "@/components/ui/when";

interface Session {
  id: string;
  device: string;
  current: boolean;
  /** When the person signed in there. */
  since: Date;
  seen: ReactNode;
}

/** Where the person is signed in, and the way to end it there. */
export function Sessions({ sessions }: { sessions: Session[] }) {
  const others = useButtonAction("sessions.revoke_others");
  const one = useButtonAction("sessions.revoke");
  const router = useRouter();
  const formatMoment = useMoment();
  const busy = one.busy || others.busy;

  async function end(session: string) {
    await one.perform({ session }, () => end(session));
    router.refresh();
  }

  async function endOthers() {
    await others.perform({}, endOthers);
    router.refresh();
  }

  return (
    <Section
      title="Where you are signed in"
      about="A browser that you do not know is not yours: sign it out and change your password."
      aside={
        sessions.length > 1 && (
          <Button look="quiet" size="small" disabled={busy} onClick={endOthers}>
            Sign out everywhere else
          </Button>
        )
      }
    >
      <ul className="-my-2.5 divide-y divide-line">
        {sessions.map(({ id, device, current, since, seen }) => (
          <li key={id} className="flex items-center justify-between gap-4 py-2.5">
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-x-2">
                <span className="text-sm font-medium break-words">{device}</span>
                {current && <Badge tone="accent">This browser</Badge>}
              </p>
              <p className="text-sm text-muted">{seen}</p>
            </div>
            {!current && (
              <Button
                look="quiet"
                size="small"
                disabled={busy}
                aria-label={`Sign out ${device}, signed in ${formatMoment(since)}`}
                onClick={() => end(id)}
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
