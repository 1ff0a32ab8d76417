import { SCOPES, type Scope } from "@/lib/contract/access";
import { msg } from "@/lib/texts/translate";

/** Groups of scopes by what they allow, in the order of the consent page. Only reading is ticked at first. */
const GROUPS = {
  read: { title: msg("Read data"), hint: null, ticked: true },
  write: { title: msg("Make changes"), hint: msg("Risky changes need your approval each time."), ticked: false },
  transfer: {
    title: msg("Delete sites and manage access"),
    hint: msg("Needs your approval each time."),
    ticked: false,
  },
  account: { title: msg("Account"), hint: null, ticked: true },
} as const;
type Group = keyof typeof GROUPS;

/** The group of every scope. A new scope without a group does not compile. */
const GROUP_OF: Record<Scope, Group> = {
  "sites:read": "read",
  "analytics:read": "read",
  "events:read": "read",
  "members:read": "read",
  "sites:write": "write",
  "sites:create": "write",
  "sites:delete": "transfer",
  "teams:write": "transfer",
  "account:read": "account",
};

/** The requested scopes that the consent page ticks for the person: those that change nothing, or are granted already. */
export const tickedAtFirst = (requested: readonly Scope[], granted: readonly Scope[]): Scope[] =>
  requested.filter((scope) => GROUPS[GROUP_OF[scope]].ticked || granted.includes(scope));

interface ScopeGroup {
  title: string;
  hint: string | null;
  scopes: { scope: Scope; about: string }[];
}

/** Groups scopes by what they allow, without empty groups. Their texts are to be translated. */
export const groupScopes = (scopes: readonly Scope[]): ScopeGroup[] =>
  (Object.keys(GROUPS) as Group[])
    .map((group) => ({
      ...GROUPS[group],
      scopes: scopes.filter((scope) => GROUP_OF[scope] === group).map((scope) => ({ scope, about: SCOPES[scope] })),
    }))
    .filter((group) => group.scopes.length > 0);
