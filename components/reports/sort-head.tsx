import { ArrowDown, ArrowUp } from "lucide-react";

type Direction = "ascending" | "descending";

interface Props {
  label: string;
  /** Tooltip that explains the column. */
  about?: string | undefined;
  /** Numbers are right-aligned and sort in descending order first. */
  numeric: boolean;
  /** null if the table is not sorted by this column. */
  sorted: Direction | null;
  onSort(direction: Direction): void;
  className?: string;
}

/** A column heading that sorts the table; a second click reverses the order. */
export function SortHead({ label, about, numeric, sorted, onSort, className = "" }: Props) {
  const Arrow = sorted === "descending" ? ArrowDown : ArrowUp;
  const first = numeric ? "descending" : "ascending";
  const other = sorted === "descending" ? "ascending" : "descending";
  return (
    <th
      scope="col"
      aria-sort={sorted ?? undefined}
      title={about}
      className={`whitespace-nowrap ${numeric ? "text-right" : "text-left"} ${className}`}
    >
      <button
        type="button"
        onClick={() => onSort(sorted ? other : first)}
        className={`inline-flex items-center gap-0.5 rounded-md px-1.5 py-0.5 hover:bg-sunken hover:text-ink ${numeric ? "flex-row-reverse" : ""} ${sorted ? "font-semibold text-ink" : ""}`}
      >
        {label}
        {sorted && <Arrow className="size-3" />}
      </button>
    </th>
  );
}
