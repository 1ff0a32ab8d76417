"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { type FormProblems, problemsOf } from "@/components/ui/form-problems";
import { requireOwner } from "@/lib/auth/session";
import { execute } from "@/lib/gateway/execute";
import sitesCreate from "@/lib/operations/sites.create";
import { principalOf } from "../../access";

/** Adds a site and redirects to its installation page. @returns the problems of the form otherwise */
export async function addSite(formData: FormData): Promise<FormProblems> {
  const owner = await requireOwner();
  let siteId: number;
  try {
    const { data: site } = await execute(sitesCreate, {
      principal: principalOf(owner),
      input: {
        domain: formData.get("domain"),
        name: formData.get("name"),
        timezone: formData.get("timezone"),
        public: formData.get("public") === "on",
      },
      now: new Date(),
    });
    siteId = site.site_id;
  } catch (error) {
    return problemsOf(error, { fields: ["domain", "name", "timezone"], fieldOfCode: { domain_taken: "domain" } });
  }
  // The header lists the sites, so the browser's cached layout is outdated.
  revalidatePath("/", "layout");
  redirect(`/sites/${siteId}/install`);
}
