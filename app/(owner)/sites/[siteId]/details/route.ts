import { DETAILS } from "@/components/reports/details";
import { paramsOf } from "@/components/reports/filters";
import { readView } from "@/components/reports/view";
import { isDimension } from "@/lib/analytics/dimensions";
import { Refusal } from "@/lib/contract/errors";
import { principalOf } from "../../../access";
import { answerOwner } from "../answer";
import { detailsOf } from "./details-of";

/** For the dialog with all values of a panel: a page of them, in the view that the address says. */
export function GET(request: Request, { params }: { params: Promise<{ siteId: string }> }): Promise<Response> {
  const { searchParams } = new URL(request.url);
  return answerOwner(params, (owner, siteId) => {
    const dimension = searchParams.get(DETAILS.of) ?? "";
    if (!isDimension(dimension)) throw new Refusal("invalid_input", "There is no such list.");
    const page = /^[1-9]\d{0,2}$/.exec(searchParams.get(DETAILS.page) ?? "1");
    if (!page) throw new Refusal("invalid_input", "There is no such page of the list.");
    const q = searchParams.get(DETAILS.q) ?? "";
    const asking = { principal: principalOf(owner), siteId, now: new Date() };
    return detailsOf(asking, readView(paramsOf(searchParams)), { dimension, q, page: Number(page[0]) });
  });
}
