import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { about, clientId, optionalParam, personId, siteId } from "@/lib/contract/fields";
import { auditPage } from "@/lib/sites/audit-log";

const MAX_ROWS = 100;
const CURSOR = "must be the cursor of the previous page";

export default defineOperation({
  id: "sites.audit.list",
  title: "List the audit log",
  about:
    "Lists who changed a site, exported its events or decided about its agents, newest first. Repeat the call with `cursor` until it is null. What was sent is not returned, because it may name people.",
  scope: "sites:read",
  role: "manager",
  risk: "none",
  input: z.strictObject({
    site_id: siteId,
    cursor: optionalParam(z.string(CURSOR).regex(/^\d{1,13}-\d{1,18}$/, CURSOR)).meta({
      description: "The `cursor` of the previous page",
    }),
    limit: optionalParam(
      z.int("must be a whole number").min(1, "must be 1 or more").max(MAX_ROWS, `must be at most ${MAX_ROWS}`),
    ).meta({ description: "Maximum number of entries; default 50" }),
  }),
  example: { site_id: 1, limit: 10 },
  output: z.object({
    entries: z.array(
      z
        .object({
          entry_id: z.string().meta({ examples: ["42"] }),
          at: z.iso.datetime(),
          operation: about(
            z.string(),
            "Id of the operation, or of an event such as agents.revoke",
            "sites.settings.update",
          ),
          decision: z.enum(["approved", "denied"]).nullable().meta({
            description: "What a person decided about the operation; null if the entry is of the operation itself",
          }),
          client_id: about(clientId.nullable(), "The agent; null for a person in the dashboard", "ffc_w3Hk9sQ2"),
          person_id: personId.nullable().meta({
            description: "The person, or the one that the agent acts for; sites.members.list has names",
          }),
          request_id: z.string().meta({ examples: ["7d1f0c52-3f0e-4b1a-8f60-0a4f7c1d9e21"] }),
          approval_id: about(
            z.string().nullable(),
            "The approval that the operation used",
            "apr_Q2w8ZkT1mN5vB7xL0cYd3hJf",
          ),
        })
        .meta({ id: "AuditEntry" }),
    ),
    cursor: about(
      z.string().nullable(),
      "Cursor of the next page; null when there are no more entries",
      "1795080600000-42",
    ),
  }),

  run: ({ input, site, db }) => auditPage(db, site.id, input.cursor ?? null, input.limit ?? 50),
});
