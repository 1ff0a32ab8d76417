import { ChevronDown } from "lucide-react";
import Link from "next/link";
import type { SiteShape } from "@/lib/contract/fields";
import { siteTitle } from "@/lib/platform/legible-host";

/** Link from a page of a site back to its dashboard. */
export const BackToSite = ({ site }: { site: Pick<SiteShape, "site_id" | "name" | "domain"> }) => (
  <p className="text-sm">
    <Link
      href={`/sites/${site.site_id}`}
      prefetch={false}
      className="inline-flex max-w-full items-center gap-1 rounded-sm text-muted hover:text-accent"
    >
      <ChevronDown className="size-3.5 rotate-90" />
      <span className="min-w-0 break-words">{siteTitle(site)}</span>
    </Link>
  </p>
);
