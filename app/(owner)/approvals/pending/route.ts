import { answerJson, ownerOfRequest } from "@/app/_dashboard/answer";
import { countPending } from "@/lib/agents/approval-inbox";

/** Number of requests that wait for the signed-in person. Polled by the header of each page. */
export const GET = (): Promise<Response> =>
  answerJson(async () => ({ pending: await countPending((await ownerOfRequest()).personId, new Date()) }));
