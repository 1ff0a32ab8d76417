import { useRouter } from "next/navigation";
import { ConfirmAction } from "@/components/actions/confirm-action";
import { useSendsEmail } from "@/components/ui/mail-server";
import { ROLES, type Role } from "@/lib/contract/vocabulary";
import { idOf, operationsOf, type Place } from "./place";

interface Props {
  place: Place;
  member: { personId: number; email: string; you: boolean };
  role: Role;
  onDone(): void;
}

const ROLE_NAMES: Record<Role, string> = { viewer: "a viewer", manager: "a manager", owner: "an owner" };
const LOST_RIGHTS: Record<Role, string> = {
  viewer: "change its settings, manage its members, or delete it",
  manager: "manage its members, or delete it",
  owner: "",
};

/** Confirms a new role, because a single key press changes the selection in the list. */
export function ChangeRole({ place, member, role, onDone }: Props) {
  const sendsEmail = useSendsEmail();
  const router = useRouter();
  const scope = "team_id" in place ? `the sites of ${place.name}` : place.name;
  return (
    <ConfirmAction
      operation={operationsOf(place).update}
      input={{ ...idOf(place), person_id: member.personId, role }}
      title={member.you ? `Make yourself ${ROLE_NAMES[role]}?` : `Make ${member.email} ${ROLE_NAMES[role]}?`}
      action="Change role"
      onDone={() => {
        onDone();
        router.refresh();
      }}
      onCancel={onDone}
    >
      <p>
        {member.you
          ? `On ${scope} you would no longer ${LOST_RIGHTS[role]}. Only an owner can make you one again.`
          : `On ${scope}, ${ROLE_NAMES[role]} ${ROLES[role].about}.${sendsEmail ? " They get an email." : ""}`}
      </p>
    </ConfirmAction>
  );
}
