import { redirect } from "next/navigation";
import { demoSite } from "@/lib/sites/shared";

export const dynamic = "force-dynamic";

/** Leads to the public dashboard that the operator shows as a demo, otherwise to the landing page. */
export default async function Demo() {
  const site = await demoSite();
  redirect(site ? `/share/${site.domain}` : "/");
}
