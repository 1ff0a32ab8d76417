import { useRouter } from "next/navigation";
import { useAction } from "@/components/actions/actions";
import { Confirm } from "@/components/ui/confirm";
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
  const { perform, busy, problems } = useAction("sites.members.update");
  const router = useRouter();

  async function change() {
    const done = await perform({ site_id: site.siteId, person_id: member.personId, role });
    if (!done) return;
    onDone();
    router.refresh();
  }

  return (
    <Confirm
      title={member.you ? `Make yourself ${ROLE_NAMES[role]}?` : `Make ${member.email} ${ROLE_NAMES[role]}?`}
      action="Change role"
      busy={busy}
      problem={problems.message}
      onYes={change}
      onNo={onDone}
    >
      <p>
        {member.you
          ? `On ${site.domain} you would no longer ${LOST_RIGHTS[role]}. Only an owner can make you one again.`
          : `On ${site.domain}, ${ROLE_NAMES[role]} ${ROLES[role].about}. They get an email.`}
      </p>
    </Confirm>
  );
}
