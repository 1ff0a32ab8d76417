import { Notice } from "@/components/ui/notice";
import type { MergedVisitors } from "@/lib/platform/http/merged-visitors";

const MAX_ADDRESSES = 5;

/**
 * Says that the visitors of a proxy count as one, and what to set.
 *
 * @param showsAddresses for the operator, who knows the addresses of the proxies
 */
export function MergedVisitorsNotice({
  merged,
  showsAddresses,
}: {
  merged: MergedVisitors | null;
  showsAddresses: boolean;
}) {
  if (!merged) return null;
  const { addresses, header } = merged;
  const isOne = addresses.length === 1;
  const known = addresses.slice(0, MAX_ADDRESSES).join(", ");
  return (
    <Notice tone="warn">
      <p className="font-semibold">
        {isOne ? "All visits come from one address" : `Most visits come from ${addresses.length} addresses`}, so
        visitors and places are wrong.
      </p>
      <p className="mt-1 [overflow-wrap:anywhere]">
        The header {header} names other visitors, but TRUSTED_PROXIES does not list who sends it.{" "}
        {showsAddresses
          ? `If ${isOne ? `${known} is` : `${known}${addresses.length > MAX_ADDRESSES ? " and others are" : " are"}`} your proxy or CDN, set TRUSTED_PROXIES to its addresses or ranges and restart the service.`
          : "Ask the operator of this service to set TRUSTED_PROXIES to the addresses of its proxy or CDN."}
        {header !== "X-Forwarded-For" && " Let it send X-Forwarded-For too, which is the header that is read."}
      </p>
    </Notice>
  );
}
