import { beatOf } from "@/lib/sites/pulse";
import { answerAnyone } from "../shared";

/** For a public dashboard that is looked at, which asks every second or so: who is there, and when the last event came. */
export const GET = (_: Request, { params }: { params: Promise<{ domain: string }> }): Promise<Response> =>
  answerAnyone(params, ({ site_id }) => beatOf(site_id));
