import type { Metadata } from "next";
import { signedInOwner } from "@/app/(owner)/access";
import { FIRST_SCOPES, SCOPES, type Scope } from "@/lib/contract/access";
import { accessOptions } from "@/lib/oauth/consent";
import { OPERATIONS } from "@/lib/operations/index";
import { env } from "@/lib/platform/env";
import { t } from "@/lib/texts/translate";
import { NewToken } from "./new-token";

export const generateMetadata = (): Metadata => ({ title: t("New personal token") });

export default async function NewTokenPage() {
  const { personId } = await signedInOwner();
  const options = await accessOptions(Object.keys(SCOPES) as Scope[], personId, [...OPERATIONS.values()]);
  return (
    <div className="mx-auto max-w-xl py-2 sm:py-8">
      <NewToken options={options} tickedAtFirst={FIRST_SCOPES} baseUrl={env().BASE_URL} />
    </div>
  );
}
