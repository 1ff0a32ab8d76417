import type { Metadata } from "next";
import { t } from "@/lib/texts/translate";
import { signedInOwner } from "../../access";
import { NewSiteForm } from "./new-site-form";

export const generateMetadata = (): Metadata => ({ title: t("Add a site") });

export default async function NewSitePage() {
  await signedInOwner();
  return (
    <div className="mx-auto max-w-md py-4 sm:py-10">
      <h1 className="text-2xl font-semibold">{t("Add a site")}</h1>
      <p className="mt-1 mb-6 text-muted">{t("In the next step you get the snippet for its pages.")}</p>
      <NewSiteForm zones={["UTC", ...Intl.supportedValuesOf("timeZone")]} />
    </div>
  );
}
