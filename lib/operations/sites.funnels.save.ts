import { defineOperation } from "@/lib/contract/define";
import { describeFunnel, funnelInput, funnelShape, listFunnels, saveFunnel } from "@/lib/sites/saved/funnels";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.funnels.save",
  title: msg("Save a funnel"),
  about:
    "Creates a funnel, or changes the one with `id`. In the path pattern of a page, `*` matches any part of one segment and `**` any number of segments; an event is matched by its exact name. Past events count too.",
  scope: "sites:write",
  role: "manager",
  risk: "write",
  input: funnelInput,
  example: {
    site_id: 1,
    name: "Signing up",
    steps: [
      { kind: "page", pattern: "/pricing" },
      { kind: "event", pattern: "Signup" },
    ],
    window_minutes: 1440,
  },
  output: funnelShape,

  async current({ input, site, db }) {
    const row = (await listFunnels(site.id, db)).find(({ id }) => id === input.id);
    if (!row) return null;
    const { id: _, created_by: __, updated_at: ___, ...fields } = describeFunnel(row);
    return fields;
  },

  async run({ input, ...work }) {
    return describeFunnel(await saveFunnel(work, input));
  },
});
