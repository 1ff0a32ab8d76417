import { SCOPES, type Scope } from "@/lib/contract/vocabulary";

/** What scopes can do, in the order in which a person should think about them. */
const GROUPS = {
  reading: { title: "Reading", hint: null },
  changing: { title: "Changing", hint: "What could hurt waits for your yes each time." },
  parting: { title: "Deleting and handing over", hint: "Waits for your yes each time." },
  account: { title: "Itself", hint: null },
} as const;
type Group = keyof typeof GROUPS;

/** Every scope has its place; a new one without does not compile. */
const GROUP_OF: Record<Scope, Group> = {
  "sites:read": "reading",
  "analytics:read": "reading",
  "events:read": "reading",
  "members:read": "reading",
  "sites:write": "changing",
  "sites:create": "changing",
  "sites:delete": "parting",
  "teams:write": "parting",
  "account:read": "account",
};

export interface ScopeGroup {
  title: string;
  hint: string | null;
  scopes: { scope: Scope; about: string }[];
}

/** Requested scopes by what they can do, without empty groups. */
export const groupScopes = (scopes: readonly Scope[]): ScopeGroup[] =>
  (Object.keys(GROUPS) as Group[])
    .map((group) => ({
      ...GROUPS[group],
      scopes: scopes.filter((scope) => GROUP_OF[scope] === group).map((scope) => ({ scope, about: SCOPES[scope] })),
    }))
    .filter((group) => group.scopes.length > 0);
