import { UNFILTERED } from "@/components/reports/filter-bar";
import { ViewLink } from "@/components/reports/view-frame";
import { ButtonLink } from "@/components/ui/button";
import { TRAFFIC, type Traffic } from "@/lib/contract/vocabulary";

interface Props {
  siteId: number;
  domain: string;
  neverAnEvent: boolean;
  traffic: Traffic;
  /** Whether filters or a segment narrow it. */
  narrowed: boolean;
}

const linkLook =
  "inline-flex h-10 items-center rounded-lg border border-line bg-surface px-4 font-medium hover:bg-sunken";

/** What stands in the chart's place when there is nothing to draw, and what to do about it. */
export function EmptyRange({ siteId, domain, neverAnEvent, traffic, narrowed }: Props) {
  return (
    <div className="grid min-h-[21.5rem] place-items-center px-6 py-10 text-center">
      {neverAnEvent ? (
        <div className="max-w-md">
          <h2 className="text-lg font-semibold">Waiting for the first visit</h2>
          <p className="mt-1 mb-5 text-muted">
            {domain} has not sent anything yet. Add one line to its pages; this dashboard fills by itself.
          </p>
          <ButtonLink href={`/sites/${siteId}/install`}>Show the line to add</ButtonLink>
        </div>
      ) : narrowed ? (
        <div className="max-w-md">
          <h2 className="text-lg font-semibold">Nothing matches these filters</h2>
          <p className="mt-1 mb-5 text-muted">
            No visit in these days met all of them. Take one away above, or look at everything.
          </p>
          <ViewLink patch={UNFILTERED} className={linkLook}>
            Clear all filters
          </ViewLink>
        </div>
      ) : (
        <div className="max-w-md">
          <h2 className="text-lg font-semibold">Nothing in this range</h2>
          <p className="mt-1 mb-5 text-muted">
            {traffic === "human" || traffic === "all"
              ? "No visit was counted in these days. Choose others above, or look at everything there is."
              : `Nothing of the kind “${TRAFFIC[traffic]}” was counted in these days.`}
          </p>
          <ViewLink patch={{ period: "all", from: null, to: null, interval: null, traffic: null }} className={linkLook}>
            Show all time
          </ViewLink>
        </div>
      )}
    </div>
  );
}
