import { useRouter } from "next/navigation";
import { ConfirmAction } from "@/components/actions/confirm-action";
import { useSendsEmail } from "@/components/ui/mail-server";
import { ROLES, type Role } from "@/lib/contract/access";
import { t } from "@/lib/texts/translate";
import { operationsOf, type Place, placeId } from "./place";

interface Props {
  place: Place;
  member: { personId: number; email: string; you: boolean };
  role: Role;
  onDone(): void;
}

/** Confirms a new role, because a single key press changes the selection in the list. */
export function ChangeRole({ place, member, role, onDone }: Props) {
  const sendsEmail = useSendsEmail();
  const router = useRouter();
  const scope = "team_id" in place ? t("the sites of {team}", { team: place.name }) : place.name;
  return (
    <ConfirmAction
      operation={operationsOf(place).update}
      input={{ ...placeId(place), person_id: member.personId, role }}
      title={
        member.you
          ? t("Make yourself {role, select, viewer {a viewer} manager {a manager} other {an owner}}?", { role })
          : t("Make {email} {role, select, viewer {a viewer} manager {a manager} other {an owner}}?", {
              email: member.email,
              role,
            })
      }
      action={t("Change role")}
      onDone={() => {
        onDone();
        router.refresh();
      }}
      onCancel={onDone}
    >
      <p>
        {member.you
          ? t(
              "On {scope} you would no longer {role, select, viewer {change its settings, manage its members, or delete it} other {manage its members, or delete it}}. Only an owner can make you one again.",
              { scope, role },
            )
          : [
              t("On {scope}, {role, select, viewer {a viewer} manager {a manager} other {an owner}} {rights}.", {
                scope,
                role,
                rights: t(ROLES[role].about),
              }),
              sendsEmail && t("They get an email."),
            ]
              .filter(Boolean)
              .join(" ")}
      </p>
    </ConfirmAction>
  );
}
