import type { ChangeLine } from "@/lib/contract/define";
import { changeInWords } from "@/lib/gateway/change-words";
import { t } from "@/lib/texts/translate";

/** What a change has changed, one line for each value, in an entry of a log. */
export const ChangeLines = ({ lines }: { lines: readonly ChangeLine[] }) => (
  <ul className="mt-1 space-y-0.5 text-sm text-muted">
    {lines.map(({ label, before, after }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: labels may repeat, and the lines never change order
      <li key={index} className="[overflow-wrap:anywhere]">
        {changeInWords(label)}: <ChangeLineValue value={before} />{" "}
        <span aria-hidden="true" className="px-0.5">
          →
        </span>
        <span className="sr-only">, {t("now")} </span>{" "}
        <span className="font-medium text-ink">
          <ChangeLineValue value={after} />
        </span>
      </li>
    ))}
  </ul>
);

const ChangeLineValue = ({ value }: { value: string | null }) =>
  value === null ? t("none") : <bdi>{changeInWords(value)}</bdi>;
