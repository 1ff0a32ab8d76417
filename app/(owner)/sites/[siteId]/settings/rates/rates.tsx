"use client";

import { useRemoval, useUndo } from "@/components/actions/removal";
import { RowButton } from "@/components/ui/row-button";
import { Section } from "@/components/ui/section";
import type { OwnRate } from "@/lib/sites/rates";
import { t } from "@/lib/texts/translate";

interface Props {
  siteId: number;
  /** The reporting currency. */
  reporting: string;
  rates: OwnRate[];
}

const keyOf = ({ currency, day }: OwnRate) => `${currency} ${day}`;

/** The site's own exchange rates, each with a button to remove it. */
export function Rates({ siteId, reporting, rates }: Props) {
  const { shown, remove } = useRemoval("sites.rates.delete", rates, keyOf, ({ currency, day }) => ({
    site_id: siteId,
    currency,
    day,
  }));
  const offerUndo = useUndo("sites.rates.set", (rate: OwnRate) => ({ site_id: siteId, ...rate }));

  async function removeRate(rate: OwnRate) {
    if (await remove(rate)) offerUndo(t("Rate removed."), rate);
  }

  return (
    <Section
      title={t("Your rates")}
      about={t(
        "Amounts in other currencies are converted to {currency}. Your own rate applies from its day until your next rate of the same currency. Without one, the rates of the European Central Bank are used.",
        { currency: reporting },
      )}
    >
      {shown.length === 0 ? (
        <p className="text-sm text-muted">{t("No own rates: the rates of the European Central Bank are used.")}</p>
      ) : (
        <ul className="-my-2.5 max-h-128 divide-y divide-line overflow-y-auto">
          {shown.map((rate) => (
            <li key={keyOf(rate)} className="flex items-center justify-between gap-4 py-2.5">
              <p className="min-w-0 text-sm">
                <span className="font-medium tabular-nums [overflow-wrap:anywhere]">
                  {`1 EUR = ${rate.per_euro} ${rate.currency}`}
                </span>{" "}
                <span className="whitespace-nowrap text-muted">{t("from {day}", { day: rate.day })}</span>
              </p>
              <RowButton
                action={t("Remove")}
                name={t("the rate of {currency} from {day}", { currency: rate.currency, day: rate.day })}
                onClick={() => removeRate(rate)}
              />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
