import { Notice } from "@/components/ui/notice";
import type { MergedVisitors } from "@/lib/platform/http/merged-visitors";
import { t } from "@/lib/texts/translate";

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
  return (
    <Notice tone="warn">
      <p className="font-semibold">
        {t(
          "{count, plural, one {All visits come from one address, so visitors and places are wrong.} other {Most visits come from # addresses, so visitors and places are wrong.}}",
          { count: addresses.length },
        )}
      </p>
      <p className="mt-1 [overflow-wrap:anywhere]">
        {t("The header {header} names other visitors, but TRUSTED_PROXIES does not list who sends it.", { header })}{" "}
        {showsAddresses
          ? t(
              "If {count, plural, one {{addresses} is} =2 {{addresses} are} =3 {{addresses} are} =4 {{addresses} are} =5 {{addresses} are} other {{addresses} and others are}} your proxy or CDN, set TRUSTED_PROXIES to its addresses or ranges and restart the service.",
              { count: addresses.length, addresses: addresses.slice(0, MAX_ADDRESSES).join(", ") },
            )
          : t("Ask the operator of this service to set TRUSTED_PROXIES to the addresses of its proxy or CDN.")}
        {header !== "X-Forwarded-For" && ` ${t("Let it send X-Forwarded-For too, which is the header that is read.")}`}
      </p>
    </Notice>
  );
}
