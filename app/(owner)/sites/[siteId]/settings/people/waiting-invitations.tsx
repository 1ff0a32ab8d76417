"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { useAction } from "@/components/actions/actions";
import { useRemoval } from "@/components/actions/removal";
import { Button } from "@/components/ui/button";
import { useSendsEmail } from "@/components/ui/mail-server";
import { Notice } from "@/components/ui/notice";
import { rich } from "@/components/ui/rich";
import { RowButton } from "@/components/ui/row-button";
import { Section } from "@/components/ui/section";
import type { Role } from "@/lib/contract/access";
import { t } from "@/lib/texts/translate";
import { InvitationLink } from "./invitation-link";
import { operationsOf, type Place, placeId } from "./place";

interface Invitation {
  id: number;
  email: string;
  role: Role;
  /** Formatted expiry. */
  ends: ReactNode;
}

interface Props {
  place: Place;
  invitations: Invitation[];
  manages: boolean;
}

/** Pending invitations. */
export function WaitingInvitations({ place, invitations, manages }: Props) {
  const send = useAction(operationsOf(place).invite);
  const { shown, remove } = useRemoval(
    operationsOf(place).withdraw,
    invitations,
    ({ id }) => id,
    ({ id }) => ({ ...placeId(place), invitation_id: id }),
  );
  const [renewed, setRenewed] = useState<{ email: string; link: string | null }>();
  const sendsEmail = useSendsEmail();
  const router = useRouter();
  const problem = send.problems.message;

  async function renew({ email, role }: Invitation) {
    setRenewed((await send.perform({ ...placeId(place), email, role })) ?? undefined);
    router.refresh();
  }

  return (
    <Section
      title={t("Pending invitations")}
      about={
        sendsEmail
          ? t("A new email contains a new link; the old link stops working.")
          : t("With a new link, the old one stops working.")
      }
    >
      {problem && (
        <div className="mb-3">
          <Notice>{problem}</Notice>
        </div>
      )}
      {renewed?.link && (
        <div className="mb-4">
          <InvitationLink {...renewed} />
        </div>
      )}
      <ul className="-my-2.5 divide-y divide-line">
        {shown.map((invitation) => (
          <li key={invitation.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5">
            <div className="min-w-0 flex-1 basis-48">
              <p className="text-sm font-medium break-words">{invitation.email}</p>
              <p className="text-sm text-muted">
                {rich("As {role, select, viewer {viewer} manager {manager} other {owner}}; expires {when}", {
                  role: invitation.role,
                  when: invitation.ends,
                })}
              </p>
            </div>
            {manages && (
              <div className="flex gap-2">
                <Button
                  look="quiet"
                  size="small"
                  disabled={send.busy}
                  aria-label={
                    sendsEmail
                      ? t("Send {email} a new email", { email: invitation.email })
                      : t("Make a new link for {email}", { email: invitation.email })
                  }
                  onClick={() => renew(invitation)}
                >
                  {sendsEmail ? t("Send again") : t("New link")}
                </Button>
                <RowButton
                  action={t("Withdraw")}
                  name={t("the invitation of {email}", { email: invitation.email })}
                  onClick={() => remove(invitation)}
                />
              </div>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
