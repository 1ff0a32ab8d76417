import type { AnyOperation } from "@/lib/contract/define";

/** The path under which operations are called. */
export const ACTIONS = "/api/v1/management/actions";

/** The groups of operations, by the first word of their ids. */
export const GROUPS: Record<string, { title: string; about: string }> = {
  sites: { title: "Sites", about: "Add, configure and delete sites." },
  teams: { title: "Teams", about: "People who share sites: a role in a team holds on all its sites." },
  analytics: { title: "Analytics", about: "Read the reports of a site." },
  approvals: { title: "Approvals", about: "See and withdraw what this client has asked humans to approve." },
  account: { title: "Account", about: "See what this client may do." },
};
export const groupOf = (op: AnyOperation): string => op.id.split(".")[0] ?? op.id;
