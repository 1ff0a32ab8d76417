import type { ReactNode } from "react";
import { formatExactly } from "@/lib/contract/numbers";
import { DAY_MS } from "@/lib/platform/durations";
import { t } from "@/lib/texts/translate";

/** Returns the number of days of a range, both ends included. */
export const dayCount = ({ from, to }: { from: string; to: string }): number =>
  (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

/** A table of counts of today and of some days. Its children are `CountGroup`s. */
export const Counts = ({ caption, days, children }: { caption: string; days: number; children: ReactNode }) => (
  <table className="-my-2.5 w-full text-sm">
    <caption className="sr-only">{caption}</caption>
    <thead>
      <tr className="text-muted">
        <td />
        <th scope="col" className="pl-4 text-right font-normal">
          {t("Today")}
        </th>
        <th scope="col" className="pl-4 text-right font-normal whitespace-nowrap">
          {t("{days, plural, one {# day} other {# days}}", { days })}
        </th>
      </tr>
    </thead>
    {children}
  </table>
);

/** Rows that belong together. */
export const CountGroup = ({ children }: { children: ReactNode }) => (
  <tbody className="border-line not-last:border-b [&_tr:first-child>*]:pt-2.5 [&_tr:last-child>*]:pb-2.5">
    {children}
  </tbody>
);

export const Count = ({ of }: { of: number }) => (
  <td className="pt-1 pl-4 text-right align-top tabular-nums">{formatExactly(of)}</td>
);
