import type { SiteLink } from "@/components/shell/open-site";
import type { SiteShape } from "@/lib/contract/fields";

/** Menu entry of a site. */
export const linkOf = ({ site_id, name, domain, role }: SiteShape): SiteLink => ({
  siteId: site_id,
  label: name || domain,
  role,
});
