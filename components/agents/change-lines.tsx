import type { ChangeLine } from "@/lib/contract/define";
import { changedValueInWords, changeInWords } from "@/lib/gateway/change-words";
import { t } from "@/lib/texts/translate";

/** What a change has changed, one line for each value, in an entry of a log. */
export const ChangeLines = ({ lines }: { lines: readonly ChangeLine[] }) => (
  <ul className="mt-1 space-y-0.5 text-sm text-muted">
    {lines.map(({ label, before, after }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: labels may repeat, and the lines never change order
      <li key={index} className="[overflow-wrap:anywhere]">
        {changeInWords(label)}: <ChangeLineValue label={label} value={before} />{" "}
        <span aria-hidden="true" className="px-0.5">
          →
        </span>
        <span className="sr-only">, {t("now")} </span>{" "}
        <span className="font-medium text-ink">
          <ChangeLineValue label={label} value={after} />
        </span>
      </li>
    ))}
  </ul>
);

const ChangeLineValue = ({ label, value }: { label: string; value: string | null }) =>
  value === null ? t("none") : <bdi>{changedValueInWords(label, value)}</bdi>;
