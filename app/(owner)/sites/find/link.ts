import type { SiteLink } from "@/components/shell/open-site";
import type { SiteShape } from "@/lib/contract/fields";
import { siteTitle } from "@/lib/platform/legible-host";

/** Menu entry of a site. */
export const linkOf = ({ site_id, name, domain, role }: SiteShape): SiteLink => ({
  siteId: site_id,
  label: siteTitle({ name, domain }),
  role,
});
