import { answerOwner } from "@/app/_dashboard/answer";
import { db } from "@/lib/platform/db";
import { siteFor } from "@/lib/sites/access";
import { latestTest } from "@/lib/sites/check/runs";
import { principalOf } from "../../../../access";

/** Latest installation test of a site. Polled every second while a test runs. */
export const GET = (_: Request, { params }: { params: Promise<{ siteId: string }> }): Promise<Response> =>
  answerOwner(params, async (owner, siteId) => {
    await siteFor(db(), principalOf(owner), siteId, "manager");
    return { test: await latestTest(db(), siteId, new Date()) };
  });
