import { answer } from "@/app/_dashboard/answer";
import { addressOf, sharedLastEvent, siteOf } from "../shared";

/** Current visitors and time of the last event. Polled by an open public dashboard. */
export const GET = (request: Request, { params }: { params: Promise<{ domain: string }> }): Promise<Response> =>
  answer(async () => sharedLastEvent((await siteOf(params)).site_id, addressOf(request)));
