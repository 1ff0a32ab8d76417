import { sharedPulse } from "@/lib/sites/shared";
import { answerAnyone } from "../shared";

/** For a public dashboard that is looked at, which asks every second or so: when the last event came. */
export const GET = (_: Request, { params }: { params: Promise<{ domain: string }> }): Promise<Response> =>
  answerAnyone(params, sharedPulse);
