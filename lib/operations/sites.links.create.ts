import { hashPassword } from "@/lib/auth/password";
import { defineOperation } from "@/lib/contract/define";
import {
  checkShareLink,
  createShareLink,
  newShareLinkShape,
  shareLinkInput,
  shareLinkLines,
} from "@/lib/sites/share-links";
import { msg } from "@/lib/texts/translate";

export default defineOperation({
  id: "sites.links.create",
  title: msg("Create a private link"),
  about:
    "Creates a secret address that shows a part of the site to anyone who has it: dashboard, panels or reports, also of one segment or period only. Agents get it in this answer, and its replays for 72 hours. A site has at most 100 links.",
  scope: "sites:write",
  role: "manager",
  risk: "sharing",
  input: shareLinkInput,
  example: { site_id: 1, name: "Press", period: "28d", expires_in_days: 90, panels: ["metrics", "pages"] },
  output: newShareLinkShape,

  async summary({ input, ...work }) {
    const { segmentName } = await checkShareLink(work, input);
    return shareLinkLines(input, segmentName);
  },

  run: async ({ input, ...work }) =>
    createShareLink(work, input, input.password ? await hashPassword(input.password) : null),
  audited: ({ input: { password, ...limits }, data }) => ({
    ...limits,
    has_password: Boolean(password),
    link_id: data.link_id,
  }),
});
