import { randomUUID } from "node:crypto";
import { unstable_rethrow } from "next/navigation";
import { currentOwner } from "@/lib/auth/session";
import { sessionEnded } from "@/lib/auth/session-ended";
import type { Owner } from "@/lib/contract/define";
import { LARGEST_ID } from "@/lib/gateway/changes/site-revision";
import { Refusal } from "@/lib/platform/errors";
import { toWeb } from "@/lib/platform/http/http";
import { refuse } from "@/lib/platform/http/respond";
import { t } from "@/lib/texts/translate";

/** Runs `work` for the signed-in owner and responds with JSON; 401 without a session. */
export const answerOwner = (
  params: Promise<{ siteId: string }>,
  work: (owner: Owner, siteId: number) => Promise<object>,
): Promise<Response> => answerJson(async () => work(await ownerOfRequest(), await requireSiteId(params)));

/** @throws Refusal `unauthenticated` without a session. */
export async function ownerOfRequest(): Promise<Owner> {
  const owner = await currentOwner();
  if (owner) return owner;
  throw sessionEnded();
}

/** @throws Refusal `site_not_granted` for what cannot be the id of a site. */
export async function requireSiteId(params: Promise<{ siteId: string }>): Promise<number> {
  const siteId = Number((await params).siteId);
  if (Number.isSafeInteger(siteId) && siteId >= 1 && siteId <= LARGEST_ID) return siteId;
  throw new Refusal("site_not_granted", t("There is no such site."));
}

/** Responds with the result of `work` as JSON, or with the error that it throws. */
export const answerJson = (work: () => Promise<object>): Promise<Response> =>
  orRefusal(async () => Response.json(await work(), { headers: { "Cache-Control": "no-store" } }));

/** Returns the response of `work`, or that of the error that it throws: 503 when the database is overloaded. */
export const orRefusal = (work: () => Promise<Response>): Promise<Response> => orElse(work, toWeb);

/** The same for a file, which is refused with the error's message as text, so that its page can show it. */
export const orRefusedFile = (work: () => Promise<Response>): Promise<Response> =>
  orElse(work, ({ status, headers, body }) => {
    const { message } = (JSON.parse(body) as { error: { message: string } }).error;
    return new Response(message, { status, headers: { ...headers, "content-type": "text/plain; charset=utf-8" } });
  });

async function orElse(
  work: () => Promise<Response>,
  respond: (refused: ReturnType<typeof refuse>) => Response,
): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    // `notFound()` and `redirect()` of Next.
    unstable_rethrow(error);
    return respond(refuse(error, randomUUID()));
  }
}
