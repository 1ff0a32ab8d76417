import { defineDeed } from "@/lib/deeds/define";
import { dashboardInput, saveDashboard } from "@/lib/sites/saved/dashboards";

export default defineDeed({
  id: "dashboards.save",
  freshMs: null,
  input: dashboardInput,

  async run({ input, owner, requestId, now }) {
    const by = { personId: owner.personId, siteId: input.site_id, requestId, now };
    return { id: await saveDashboard(by, input) };
  },
});
