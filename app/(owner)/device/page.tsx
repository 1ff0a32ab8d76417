import type { Metadata } from "next";
import { signedInOwner } from "../access";
import { Device } from "./device";

export const metadata: Metadata = { title: "Connect an agent" };

/** Where a person types the code of an agent. It takes none from its address: a link must not do half the work. */
export default async function DevicePage() {
  await signedInOwner("/device");
  return (
    <div className="mx-auto max-w-xl py-2 sm:py-8">
      <Device />
    </div>
  );
}
