import { answerOwner } from "@/app/_dashboard/answer";
import { siteOrNotFound } from "@/app/(owner)/access";
import { linkOf } from "../../find/link";

/** Menu entry of a site, for its members. */
export const GET = (_: Request, { params }: { params: Promise<{ siteId: string }> }): Promise<Response> =>
  answerOwner(params, async (owner, siteId) => linkOf(await siteOrNotFound(owner, `${siteId}`)));
