import { exportAccount } from "@/lib/account/export-account";
import { signedInOwner } from "../../access";
import { attachment } from "../../attachment";

/** Downloads the signed-in person's own data as JSON. */
export async function GET(): Promise<Response> {
  const owner = await signedInOwner();
  const now = new Date();
  const data = JSON.stringify(await exportAccount(owner, now), null, 2);
  return attachment(data, "application/json", `footfall-account-${now.toISOString().slice(0, 10)}.json`);
}
