"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { ConfirmAction } from "@/components/actions/confirm-action";
import { Badge } from "@/components/ui/badge";
import { useSendsEmail } from "@/components/ui/mail-server";
import { RowButton } from "@/components/ui/row-button";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import type { Role } from "@/lib/contract/access";
import { t } from "@/lib/texts/translate";
import { ChangeRole } from "./change-role";
import { operationsOf, type Place, placeId } from "./place";
import { ROLE_NAMES, roleChoices } from "./roles";

interface Member {
  personId: number;
  email: string;
  name: string | null;
  role: Role;
  /** Whether the role is that of the site's team: it is changed there. */
  byTeam?: boolean;
  you: boolean;
}

interface Props {
  place: Place;
  members: Member[];
  /** Whether the reader can change members. Everyone can leave. */
  manages: boolean;
}

export function Members({ place, members, manages }: Props) {
  const [chosen, setChosen] = useState<{ member: Member; role: Role }>();
  const [removing, setRemoving] = useState<Member>();

  return (
    <Section
      title={t("People")}
      about={members.length === 1 ? t("You are the only member.") : t("Members of {place}.", { place: place.name })}
    >
      <ul className="-my-2.5 divide-y divide-line">
        {members.map((member) => (
          <li key={member.personId} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5">
            <div className="min-w-0 flex-1 basis-48">
              <p className="flex flex-wrap items-center gap-x-2 text-sm font-medium">
                <span className="min-w-0 break-words">{member.name ?? member.email}</span>
                {member.you && <Badge tone="accent">{t("You")}</Badge>}
              </p>
              {member.name && <p className="text-sm break-words text-muted">{member.email}</p>}
              {manages && (
                <p className="text-[0.8125rem] text-muted tabular-nums">{t("ID {id}", { id: member.personId })}</p>
              )}
            </div>
            <div className="flex items-center gap-2">
              {manages && !member.byTeam ? (
                <Select
                  quiet
                  label={t("Role of {email}", { email: member.email })}
                  choices={roleChoices()}
                  value={chosen?.member === member ? chosen.role : member.role}
                  onChange={(event) => setChosen({ member, role: event.target.value as Role })}
                  className="w-32"
                />
              ) : (
                <span className="text-sm text-muted">
                  {member.byTeam
                    ? t("{role} by the team", { role: t(ROLE_NAMES[member.role]) })
                    : t(ROLE_NAMES[member.role])}
                </span>
              )}
              {(manages || member.you) && !member.byTeam && (
                <RowButton
                  action={member.you ? t("Leave") : t("Remove")}
                  name={member.you ? place.name : member.email}
                  onClick={() => setRemoving(member)}
                  className="w-20"
                />
              )}
            </div>
          </li>
        ))}
      </ul>
      {chosen && <ChangeRole place={place} {...chosen} onDone={() => setChosen(undefined)} />}
      {removing && <ConfirmRemoval place={place} member={removing} onDone={() => setRemoving(undefined)} />}
    </Section>
  );
}

/** Confirms that a member is removed or leaves. Their agents lose access at the same time. */
function ConfirmRemoval({ place, member, onDone }: { place: Place; member: Member; onDone(): void }) {
  const sendsEmail = useSendsEmail();
  const router = useRouter();
  const isTeam = "team_id" in place;
  return (
    <ConfirmAction
      operation={member.you ? operationsOf(place).leave : operationsOf(place).remove}
      input={{ ...placeId(place), ...(member.you ? {} : { person_id: member.personId }) }}
      title={member.you ? t("Leave {place}?", { place: place.name }) : t("Remove {name}?", { name: member.email })}
      action={member.you ? t("Leave") : t("Remove")}
      onDone={() => {
        if (member.you) return window.location.assign(isTeam ? "/teams" : "/sites");
        onDone();
        router.refresh();
      }}
      onCancel={onDone}
    >
      <p>
        {member.you
          ? isTeam
            ? t(
                "You and your agents lose access to the sites of the team, except those that you are a member of yourself. Only an owner can invite you again.",
              )
            : t("You and your agents lose access to the site. Only an owner can invite you again.")
          : [
              isTeam
                ? t(
                    "They and their agents lose access to the sites of {team}, except those that they are a member of themselves at once.",
                    { team: place.name },
                  )
                : t("They and their agents lose access to {site} at once.", { site: place.name }),
              sendsEmail && t("They get an email."),
            ]
              .filter(Boolean)
              .join(" ")}
      </p>
    </ConfirmAction>
  );
}
