import Link from "next/link";
import { RowIcon } from "@/components/icons/row-icon";
import { Change } from "@/components/reports/change";
import {
  type Cell,
  type Column,
  changeOfCell,
  columnAt,
  formatCell,
  isNumeric,
  type Sheet,
} from "@/components/reports/sheet";
import { ViewLink } from "@/components/reports/view-frame";
import { Badge, type Tone } from "@/components/ui/badge";
import { t } from "@/lib/texts/translate";

interface Props {
  sheet: Sheet;
  /** Index of the row. */
  place: number;
  /** Largest number of the bar column. */
  most: number;
}

/** A row of a table: its name over a bar, followed by the other cells. */
export function DataRow({ sheet: { columns, rows, before, bar, links, hrefs }, place, most }: Props) {
  const row = rows[place] ?? [];
  const share = bar === null || most <= 0 ? 0 : Math.max(0, Number(row[bar] ?? 0) / most);
  const [name, ...others] = columns.map((column) => columnAt(column, place));
  return (
    <tr className="hover:bg-sunken/60">
      <th scope="row" className="relative h-8 min-w-36 px-2 py-1 text-left font-normal">
        {share > 0 && (
          <span
            aria-hidden="true"
            className="absolute inset-y-0.5 left-0 rounded-md bg-bar"
            style={{ width: `${share * 100}%` }}
          />
        )}
        {name && (
          <span className="relative flex items-center gap-1.5">
            <Icon column={name} cell={row[0]} place={place} />
            <NameCell column={name} cell={row[0]} link={links?.[place] ?? null} href={hrefs?.[place]} />
          </span>
        )}
      </th>
      {others.map((column, index) => (
        <td
          key={column.label}
          className={`h-8 px-2 py-1 ${isNumeric(column) ? "text-right whitespace-nowrap" : ""} ${row[index + 1] === null ? "text-muted" : ""}`}
        >
          {before && index + 1 === bar && <MovedCell column={column} now={row[bar]} then={before[place]?.[bar]} />}
          <span className={column.icons ? "flex items-center gap-1.5" : undefined}>
            <Icon column={column} cell={row[index + 1]} place={place} />
            <ValueCell column={column} cell={row[index + 1]} tone={column.tones?.[place] ?? null} />
          </span>
        </td>
      ))}
    </tr>
  );
}

function Icon({ column, cell, place }: CellProps & { place: number }) {
  const icon = column.icons?.[place];
  return icon && <RowIcon icon={icon} text={formatCell(column, cell)} />;
}

/** The view, or the page, that a row leads to. */
interface NameLinks {
  link: NonNullable<Sheet["links"]>[number];
  href: string | undefined;
}

interface CellProps {
  column: Column;
  cell: Cell | undefined;
}

function NameCell({ column, cell, link, href }: CellProps & NameLinks) {
  const text = formatCell(column, cell);
  return (
    <span dir="auto" className="block max-w-[14rem] truncate text-left sm:max-w-[26rem]" title={text}>
      {href ? (
        <Link href={href} prefetch={false} className="font-medium text-accent hover:underline">
          {text}
        </Link>
      ) : link ? (
        <ViewLink patch={link} className="font-medium text-accent hover:underline">
          {text}
        </ViewLink>
      ) : (
        <span className={cell === null ? "text-muted" : ""}>{text}</span>
      )}
    </span>
  );
}

function ValueCell({ column, cell, tone }: CellProps & { tone: Tone | null }) {
  const text = formatCell(column, cell);
  if (tone) return <Badge tone={tone}>{text}</Badge>;
  if (isNumeric(column)) return text;
  return (
    <span dir="auto" className="block max-w-[16rem] min-w-20 truncate text-left" title={text}>
      {text}
    </span>
  );
}

function MovedCell({ column, now, then }: { column: Column; now: Cell | undefined; then: Cell | undefined }) {
  const change = changeOfCell(column, now, then);
  return (
    <span
      className="mr-2 inline-flex align-middle text-xs leading-none"
      title={t("Previously: {values}", { values: formatCell(column, then) })}
    >
      {change && <Change {...change} />}
      {(then === null || then === undefined) && <span className="text-muted">{t("new")}</span>}
    </span>
  );
}
