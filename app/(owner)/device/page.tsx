import type { Metadata } from "next";
import { t } from "@/lib/texts/translate";
import { signedInOwner } from "../access";
import { Device } from "./device";

export const generateMetadata = (): Metadata => ({ title: t("Connect an agent") });

/** Page to enter an agent's code. Ignores a code in the URL, because an attacker could send such a link. */
export default async function DevicePage() {
  await signedInOwner();
  return (
    <div className="mx-auto max-w-xl py-2 sm:py-8">
      <Device />
    </div>
  );
}
