import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import {
  about,
  clientId,
  integerId,
  optionalParam,
  personId,
  siteId,
  supportedDay,
  untrusted,
} from "@/lib/contract/fields";
import { invalidInput } from "@/lib/platform/errors";
import { startOfDay, Temporal } from "@/lib/platform/time";
import { auditPage } from "@/lib/sites/audit-log";

const MAX_ROWS = 100;
const CURSOR = "must be the cursor of the previous page";
const OPERATION =
  "must be the id of an operation, such as sites.settings.update, or its beginning, such as sites.goals";
const AGENT = "must be the id of an agent, such as ffc_w3Hk9sQ2";

export default defineOperation({
  id: "sites.audit.list",
  title: "List the audit log",
  about:
    "Lists who changed a site, exported its events or decided about its agents, newest first, with settings before and after. Repeat the call with `cursor` until it is null.",
  scope: "sites:read",
  role: "manager",
  risk: "none",
  input: z.strictObject({
    site_id: siteId,
    operation: optionalParam(z.string(OPERATION).regex(/^[a-z_]{1,40}(\.[a-z_]{1,40}){0,4}$/, OPERATION)).meta({
      description: "Only this operation, or those below it",
      examples: ["sites.settings"],
    }),
    person_id: optionalParam(integerId("must be the id of a person, a whole number of 1 or more")).meta({
      description: "The person, or whose agent",
    }),
    client_id: optionalParam(z.string(AGENT).max(100, AGENT)).meta({ description: "The agent" }),
    by: optionalParam(z.enum(["people", "agents"], "must be people or agents")).meta({
      description: "Whose entries",
    }),
    from: optionalParam(supportedDay).meta({ description: "First day" }),
    to: optionalParam(supportedDay).meta({ description: "Last day" }),
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
          client_name: about(untrusted.nullable(), "Null once the agent is deleted", "Reporter"),
          person_id: personId.nullable().meta({
            description: "The person, or the one that the agent acts for",
          }),
          person: about(
            untrusted.nullable(),
            "Name and masked address; null once the account is deleted",
            "Ann (a***@example.com)",
          ),
          request_id: z.string().meta({ examples: ["7d1f0c52-3f0e-4b1a-8f60-0a4f7c1d9e21"] }),
          approval_id: about(
            z.string().nullable(),
            "The approval that the operation used",
            "apr_Q2w8ZkT1mN5vB7xL0cYd3hJf",
          ),
          changes: z
            .array(z.object({ label: z.string(), before: untrusted.nullable(), after: untrusted.nullable() }))
            .meta({
              description: "What a change of settings or a saved object changed",
              examples: [[{ label: "Timezone", before: "Europe/Berlin", after: "Europe/Paris" }]],
            }),
          before: z
            .record(z.string(), z.unknown())
            .nullable()
            .meta({
              "x-untrusted": true,
              description:
                "Former values of changed input fields: the same operation undoes the change with them. Null for other entries",
              examples: [{ timezone: "Europe/Berlin" }],
            }),
        })
        .meta({ id: "AuditEntry" }),
    ),
    cursor: about(
      z.string().nullable(),
      "Cursor of the next page; null when there are no more entries",
      "1795080600000-42",
    ),
  }),

  async run({ input, site, db }) {
    const start = (day: string, plus: number) =>
      startOfDay(Temporal.PlainDate.from(day).add({ days: plus }), site.timezone);
    const from = input.from ? start(input.from, 0) : null;
    const to = input.to ? start(input.to, 1) : null;
    if (from && to && from >= to) throw invalidInput([{ path: "to", message: "must not be before from" }]);
    const filter = {
      ...{ operation: input.operation, personId: input.person_id, clientId: input.client_id, by: input.by },
      ...{ from, to },
    };
    return auditPage(db, site.id, filter, input.cursor ?? null, input.limit ?? 50);
  },
});
