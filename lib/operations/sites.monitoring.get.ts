import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { siteId } from "@/lib/contract/fields";
import { describeIncident, incidentShape, LISTED, listIncidents } from "@/lib/monitoring/incidents";
import { checksShape, describeChecks, readMonitorStatus } from "@/lib/monitoring/monitor";

export default defineOperation({
  id: "sites.monitoring.get",
  title: "Read incidents and checks",
  about:
    "Returns the incidents of a site, open ones first, and what monitoring last saw of its page, certificate, visits and refused events. sites.monitoring turns it on or off.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({ site_id: siteId }),
  example: { site_id: 1 },
  output: z.object({
    checks: checksShape.nullable().meta({ description: "Null while monitoring is off" }),
    incidents: z.array(incidentShape).meta({
      description: `At most ${LISTED}: open ones first, then the latest. Incidents are kept for a year`,
    }),
  }),

  async run({ site, db }) {
    const [status, incidents] = [await readMonitorStatus(site.id, db), await listIncidents(site.id, db)];
    return { checks: status && describeChecks(status), incidents: incidents.map(describeIncident) };
  },
});
