import type { AnyOperation } from "@/lib/contract/define";

/** Where the ids and names that operations take come from. */

interface IdSource {
  /** The parameters that take it. */
  fields: readonly string[];
  /** The operations that take it, by the beginning of their ids; all without it. */
  operations?: string;
  /** The operation that returns it, and where in `data`. */
  from: string;
  path: string;
}

/** Items that are saved on a site: each list returns the ids that `save` and `delete` take. */
const SAVED = ["annotations", "dashboards", "experiments", "funnels", "goals", "segments"];

export const ID_SOURCES: readonly IdSource[] = [
  { fields: ["site_id", "site_ids"], from: "sites.list", path: "sites[].site_id" },
  { fields: ["team_id"], from: "teams.list", path: "teams[].team_id" },
  { fields: ["person_id"], operations: "teams.", from: "teams.list", path: "teams[].members[].person_id" },
  { fields: ["invitation_id"], operations: "teams.", from: "teams.list", path: "teams[].invitations[].invitation_id" },
  { fields: ["domain_id"], from: "sites.settings.get", path: "domains[].domain_id" },
  { fields: ["person_id", "new_owner_id"], from: "sites.members.list", path: "members[].person_id" },
  { fields: ["invitation_id"], from: "sites.members.list", path: "invitations[].invitation_id" },
  { fields: ["key_id"], from: "sites.keys.list", path: "keys[].key_id" },
  { fields: ["link_id"], from: "sites.links.list", path: "links[].link_id" },
  { fields: ["exclusion_id"], from: "sites.exclusions.list", path: "exclusions[].exclusion_id" },
  { fields: ["rule_id"], from: "sites.scrubbing.list", path: "rules[].rule_id" },
  { fields: ["approval_id"], from: "approvals.list", path: "approvals[].approval_id" },
  { fields: ["segment"], from: "sites.segments.list", path: "segments[].id" },
  { fields: ["dashboard"], from: "sites.dashboards.list", path: "dashboards[].id" },
  { fields: ["funnel"], from: "sites.funnels.list", path: "funnels[].name" },
  ...SAVED.map((items) => ({
    fields: ["id"],
    operations: `sites.${items}.`,
    from: `sites.${items}.list`,
    path: `${items}[].id`,
  })),
  { fields: ["id"], operations: "sites.alerts.", from: "sites.alerts.list", path: "rules[].id" },
  {
    fields: ["recipient_id"],
    operations: "sites.reports.",
    from: "sites.reports.get",
    path: "recipients[].recipient_id",
  },
  { fields: ["id"], operations: "sites.installation.tests.", from: "sites.installation.tests.start", path: "id" },
  { fields: ["files"], operations: "sites.imports.", from: "sites.imports.upload", path: "file_id" },
  { fields: ["import_id"], from: "sites.imports.list", path: "runs[].import_id" },
  { fields: ["source"], operations: "sites.imports.", from: "sites.imports.list", path: "imports[].source" },
  { fields: ["cursor"], operations: "sites.export", from: "sites.export", path: "cursor" },
  { fields: ["client_id"], operations: "sites.audit.", from: "sites.audit.list", path: "entries[].client_id" },
  { fields: ["cursor"], operations: "sites.audit.", from: "sites.audit.list", path: "cursor" },
  { fields: ["since"], operations: "analytics.realtime", from: "analytics.realtime", path: "cursor" },
];

/** Returns the source of a parameter, or undefined if its value does not come from an answer. */
export const idSourceOf = (op: AnyOperation, field: string): IdSource | undefined =>
  ID_SOURCES.find(({ fields, operations = "" }) => fields.includes(field) && op.id.startsWith(operations));

/** Rows of a table: parameters, and the operation that returns their values. */
export const ID_ROWS: [string, string][] = [
  ...ID_SOURCES.filter(({ from, fields }) => !(fields.includes("id") && from.endsWith(".list"))).map(
    ({ fields, operations = "", from, path }): [string, string] => [
      `${fields.join(", ")}${operations && ` of ${operations}${operations.endsWith(".") ? "*" : ""}`}`,
      `\`${from}\`, \`data.${path}\``,
    ],
  ),
  [`id of sites.{${SAVED.join(",")}}.*`, "`sites.<the same>.list`, `data.<the same>[].id`"],
  ["id of sites.alerts.*", "`sites.alerts.list`, `data.rules[].id`"],
  ["X-Agent-Approval-ID", "`error.details.approval.id` of the 409 answer"],
];
