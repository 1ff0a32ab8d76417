import { answer } from "@/app/_dashboard/answer";
import { addressOf, sharedLastEvent, siteOf } from "../shared";

/** For a public dashboard that is looked at, which asks every second or so: who is there, and when the last event came. */
export const GET = (request: Request, { params }: { params: Promise<{ domain: string }> }): Promise<Response> =>
  answer(async () => sharedLastEvent((await siteOf(params)).site_id, addressOf(request)));
