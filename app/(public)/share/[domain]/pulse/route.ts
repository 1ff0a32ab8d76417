import { answer } from "@/app/_dashboard/answer";
import { beatOf } from "@/lib/sites/pulse";
import { siteOf } from "../shared";

/** For a public dashboard that is looked at, which asks every second or so: who is there, and when the last event came. */
export const GET = (_: Request, { params }: { params: Promise<{ domain: string }> }): Promise<Response> =>
  answer(async () => beatOf((await siteOf(params)).site_id));
