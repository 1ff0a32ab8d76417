import { currentOwner } from "@/lib/auth/session";
import { perform } from "@/lib/deeds/perform";
import { fromWeb, toWeb } from "@/lib/gateway/http";

/** What a signed-in person does on one of our pages. */
export async function POST(request: Request, context: { params: Promise<{ deedId: string }> }): Promise<Response> {
  const { deedId } = await context.params;
  return toWeb(await perform(fromWeb(request), deedId, await currentOwner(), new Date()));
}
