import { exportAccount } from "@/lib/account/export-account";
import { attachment, fileFor } from "../../attachment";

/** Downloads the signed-in person's own data as JSON. */
export const GET = (request: Request): Promise<Response> =>
  fileFor(request, async (owner) => {
    const now = new Date();
    const data = JSON.stringify(await exportAccount(owner, now), null, 2);
    return attachment(data, "application/json", `footfall-account-${now.toISOString().slice(0, 10)}.json`);
  });
