import { exportAccount } from "@/lib/account/export-account";
import { thisOwner } from "../../access";
import { attachment } from "../../attachment";

/** What is kept of a person, as a file for them. */
export async function GET(): Promise<Response> {
  const owner = await thisOwner("/account");
  const now = new Date();
  const data = JSON.stringify(await exportAccount(owner, now), null, 2);
  return attachment(data, "application/json", `footfall-account-${now.toISOString().slice(0, 10)}.json`);
}
