import { defineOperation } from "@/lib/contract/define";
import { currentFunnel, describeFunnel, funnelInput, funnelShape, saveFunnel } from "@/lib/sites/saved/funnels";
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

  current: currentFunnel,

  async run({ input, ...work }) {
    return describeFunnel(await saveFunnel(work, input));
  },
});
