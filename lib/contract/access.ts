import { msg } from "@/lib/texts/translate";

/** Who may do what: roles, scopes and risks with their texts. Docs, API and UI derive from these tables. */

export const ROLES = {
  viewer: { rank: 1, about: msg("reads every report of the site") },
  manager: { rank: 2, about: msg("also changes the site's settings") },
  owner: { rank: 3, about: msg("also manages members and can delete the site") },
} as const;
export type Role = keyof typeof ROLES;

/** Whether a role may change the settings and saved items of a site. */
export const manages = (role: Role): boolean => ROLES[role].rank >= ROLES.manager.rank;

export const SCOPES = {
  "sites:read": msg("See your sites and their settings"),
  "sites:write": msg("Change the settings of your sites"),
  "sites:create": msg("Add new sites"),
  "sites:delete": msg("Delete sites and all their data"),
  "members:read": msg("See the members of your sites and their email addresses"),
  "teams:write": msg(
    "Invite and remove members of your sites and teams, change their roles, and transfer sites to them",
  ),
  "analytics:read": msg("Read the reports of your sites"),
  "events:read": msg("Export the raw events of your sites, which show what a single visitor did in a day"),
  "account:read": msg("See your email address, and its own permissions and approval requests"),
} as const;
export type Scope = keyof typeof SCOPES;

/** What assistants ask their person for at first. What needs more asks again. */
export const FIRST_SCOPES: Scope[] = ["sites:read", "analytics:read"];

/** Whether a person may consent to these scopes without choosing a site, because one of them needs no existing site. */
export const mayHaveNoSites = (scopes: readonly Scope[]): boolean =>
  scopes.includes("sites:create") || scopes.includes("account:read");

/** Risk levels of operations. The risk alone decides the HTTP method and whether an agent needs approval. */
export const RISKS = {
  none: { method: "GET", needsApproval: false, about: msg("reads only") },
  write: { method: "POST", needsApproval: false, about: msg("creates or changes something that is easy to undo") },
  configuration: { method: "POST", needsApproval: true, about: msg("changes how the site measures") },
  sharing: { method: "POST", needsApproval: true, about: msg("can show data to others") },
  access: { method: "POST", needsApproval: true, about: msg("changes who has access") },
  security: { method: "POST", needsApproval: true, about: msg("changes what the site trusts") },
  destructive: { method: "POST", needsApproval: true, about: msg("cannot be undone") },
} as const;
export type Risk = keyof typeof RISKS;

/** How long a person can restore what an agent deleted without approval. */
export const RESTORABLE_DAYS = 30;
