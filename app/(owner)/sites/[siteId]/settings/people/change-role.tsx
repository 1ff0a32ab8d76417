import { useRouter } from "next/navigation";
import { ConfirmAction } from "@/components/actions/confirm-action";
import { useSendsEmail } from "@/components/ui/mail-server";
import { ROLES, type Role } from "@/lib/contract/vocabulary";

interface Props {
  site: { siteId: number; domain: string };
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
export function ChangeRole({ site, member, role, onDone }: Props) {
  const sendsEmail = useSendsEmail();
  const router = useRouter();
  return (
    <ConfirmAction
      operation="sites.members.update"
      input={{ site_id: site.siteId, person_id: member.personId, role }}
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
          ? `On ${site.domain} you would no longer ${LOST_RIGHTS[role]}. Only an owner can make you one again.`
          : `On ${site.domain}, ${ROLE_NAMES[role]} ${ROLES[role].about}.${sendsEmail ? " They get an email." : ""}`}
      </p>
    </ConfirmAction>
  );
}
