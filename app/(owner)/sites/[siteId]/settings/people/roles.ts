import { capitalise } from "@/components/ui/capitalise";
import { ROLES, type Role } from "@/lib/contract/vocabulary";

/** Choices of roles, lowest first. */
export const ROLE_CHOICES = (Object.keys(ROLES) as Role[]).map((role) => ({
  value: role,
  label: capitalise(role),
}));
