import { ArrowDown, ArrowUp } from "@/components/ui/icons";

type Direction = "ascending" | "descending";

interface Props {
  label: string;
  /** What its numbers are, for those who point at it. */
  about?: string | undefined;
  /** Numbers stand to the right, and the largest first. */
  numeric: boolean;
  /** null when the table is not sorted by it. */
  sorted: Direction | null;
  onSort(direction: Direction): void;
  className?: string;
}

/** The name of a column; pressing it sorts by it, numbers the largest first, and again the other way. */
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
