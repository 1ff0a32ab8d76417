import type { ChangeLine } from "@/lib/contract/define";
import { changedValueInWords, changeInWords } from "@/lib/gateway/change-words";
import { t } from "@/lib/texts/translate";

/** Values before and after a requested change; changed values are highlighted. On phones each line is a block. */
export function ChangeTable({ lines }: { lines: ChangeLine[] }) {
  if (lines.length === 0) return <p className="px-5 py-4 text-sm text-muted">{t("The request has no details.")}</p>;
  return (
    <table className="block w-full text-sm sm:table">
      <caption className="sr-only">{t("What would change, before and after")}</caption>
      <thead className="max-sm:sr-only">
        <tr className="border-b border-line text-left text-xs text-muted">
          <th scope="col" className="w-2/5 px-5 py-2 font-normal">
            {t("Setting")}
          </th>
          <th scope="col" className="px-2 py-2 font-normal">
            {t("Before")}
          </th>
          <th scope="col" className="px-5 py-2 font-normal">
            {t("After")}
          </th>
        </tr>
      </thead>
      <tbody className="block divide-y divide-line sm:table-row-group">
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: labels may repeat, and the lines never change order
          <ChangeRow key={index} line={line} />
        ))}
      </tbody>
    </table>
  );
}

function ChangeRow({ line: { label, before, after } }: { line: ChangeLine }) {
  const changes = before !== after;
  return (
    <tr className="block px-5 py-2.5 align-top sm:table-row sm:p-0">
      <th scope="row" className="block text-left font-medium break-words sm:table-cell sm:px-5 sm:py-2.5">
        {changeInWords(label)}
      </th>
      <td className="block break-words text-muted sm:table-cell sm:px-2 sm:py-2.5">
        <span className="mr-2 inline-block w-12 text-xs sm:hidden">{t("Before")}</span>
        <ChangeValue label={label} value={before} />
      </td>
      <td className="block break-words sm:table-cell sm:px-5 sm:py-2.5">
        <span className="mr-2 inline-block w-12 text-xs text-muted sm:hidden">{t("After")}</span>
        {changes ? (
          <mark className="rounded bg-warn-soft box-decoration-clone px-1.5 py-0.5 font-semibold text-warn">
            <ChangeValue label={label} value={after} />
          </mark>
        ) : (
          <span className="text-muted">
            <ChangeValue label={label} value={after} /> <span className="text-xs">{t("(unchanged)")}</span>
          </span>
        )}
      </td>
    </tr>
  );
}

const ChangeValue = ({ label, value }: { label: string; value: string | null }) =>
  value === null || value === "" ? (
    <em className="not-italic">{t("none")}</em>
  ) : (
    <bdi>{changedValueInWords(label, value)}</bdi>
  );
