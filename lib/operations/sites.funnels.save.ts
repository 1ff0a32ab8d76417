import { defineOperation } from "@/lib/contract/define";
import { describeFunnel, funnelInput, funnelShape, saveFunnel } from "@/lib/sites/saved/funnels";

export default defineOperation({
  id: "sites.funnels.save",
  title: "Save a funnel",
  about:
    "Makes a funnel, or changes the one with `id`. A page is a path pattern, where `*` is any part of one segment and `**` any number of segments; an event is its exact name. Events of the past count too.",
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

  async run({ input, ...work }) {
    return describeFunnel(await saveFunnel(work, input));
  },
});
