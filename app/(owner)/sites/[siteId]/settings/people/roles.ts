import { ROLES, type Role } from "@/lib/contract/access";
import { msg, t } from "@/lib/texts/translate";

export const ROLE_NAMES: Record<Role, string> = { viewer: msg("Viewer"), manager: msg("Manager"), owner: msg("Owner") };

/** Returns the choices of roles, lowest first. */
export const roleChoices = () =>
  (Object.keys(ROLES) as Role[]).map((role) => ({ value: role, label: t(ROLE_NAMES[role]) }));
