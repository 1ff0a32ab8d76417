import { setImmediate } from "node:timers/promises";
import { BAR, LEADING, LINE, MUTED, type Paper } from "@/components/reports/pdf/paper";
import {
  type Cell,
  type Column,
  changeOfCell,
  columnAt,
  formatCell,
  isNumeric,
  type Sheet,
} from "@/components/reports/sheet";
import { t } from "@/lib/texts/translate";

/** A table of a report on paper. Its head is repeated on each page. */

/** Longer tables are for the CSV. */
const MOST_ROWS = 100;
/** More columns need paper that lies. */
const MOST_UPRIGHT = 6;
const TITLE = { face: "strong", size: 11.5 } as const;
const SIZES = [8.5, 7.5, 6.5, 5.5];
const PAD = 5;
const MOST_LINES = 3;
/** A sum of widths may differ from their largest in its last digits. */
const ROUNDING = 0.1;
/** Other requests get their turn after as many rows. */
const ROWS_A_TURN = 10;
const LEAST_TEXT = 56;

export const isWide = ({ columns }: Sheet): boolean => columns.length > MOST_UPRIGHT;

interface Layout {
  size: number;
  widths: number[];
  /** The lines of each column's name. */
  heads: string[][];
}

export async function drawTable(paper: Paper, sheet: Sheet): Promise<void> {
  const shown = sheet.rows.slice(0, MOST_ROWS);
  const { columns, cells } = textsOf(sheet, shown);
  const layout = layoutOf(paper, columns, cells);
  const note = noteOf(sheet);
  paper.y += 10;
  const headHeight = headHeightOf(layout);
  if (paper.room < 24 + headHeight + 3 * rowHeight(layout.size, 1)) paper.newPage();
  const [title = ""] = paper.linesOf(t(sheet.title), paper.width, 1, TITLE);
  paper.line(title, paper.left, paper.y, TITLE);
  paper.y += TITLE.size * LEADING + 4;
  if (shown.length > 0) drawHead(paper, columns, layout);
  const most = sheet.bar === null ? 0 : Math.max(0, ...sheet.rows.map((row) => Number(row[sheet.bar ?? 0] ?? 0)));
  for (const [place, row] of cells.entries()) {
    if (place % ROWS_A_TURN === 0) await setImmediate();
    const measured = sheet.bar === null ? 0 : Number(shown[place]?.[sheet.bar] ?? 0);
    drawRow(paper, columns, layout, row, most > 0 ? Math.max(0, measured / most) : 0);
  }
  if (note) {
    const style = { size: 8, colour: MUTED };
    if (paper.room < 14) paper.newPage();
    paper.line(note, paper.left, paper.y + 3, style);
    paper.y += 14;
  }
  paper.y += 8;
}

/** Returns the cells as text; a comparison adds the change of the measured column, as on the page. */
function textsOf({ columns, before, bar }: Sheet, rows: readonly Cell[][]): { columns: Column[]; cells: string[][] } {
  const measured = bar === null ? undefined : columns[bar];
  const cells = rows.map((row, place) =>
    columns.map((column, index) => formatCell(columnAt(column, place), row[index])),
  );
  const named = columns.map((column) => ({ ...column, label: t(column.label) }));
  if (!before || bar === null || !measured) return { columns: named, cells };
  const changed = (place: number): string => {
    const change = changeOfCell(measured, rows[place]?.[bar], before[place]?.[bar]);
    return change ? `${change.up ? "+" : "−"}${change.text}` : "–";
  };
  return {
    columns: named.toSpliced(bar + 1, 0, { label: t("Change"), kind: "number" }),
    cells: cells.map((row, place) => row.toSpliced(bar + 1, 0, changed(place))),
  };
}

function noteOf({ rows }: Sheet): string | null {
  if (rows.length === 0) return t("No data in this range.");
  if (rows.length <= MOST_ROWS) return null;
  return t("The first {shown} of {count, number} rows. The CSV of this table has all.", {
    shown: MOST_ROWS,
    count: rows.length,
  });
}

const rowHeight = (size: number, lines: number): number => lines * size * LEADING + 5;
const headHeightOf = ({ size, heads }: Layout): number =>
  rowHeight(size, Math.max(1, ...heads.map((one) => one.length)));

/** Numbers are never broken, texts share the rest of the width, and the letters shrink until both fit. */
function layoutOf(paper: Paper, columns: readonly Column[], cells: readonly string[][]): Layout {
  for (const size of SIZES) {
    const style = { size };
    const widestOf = (index: number) => Math.max(0, ...cells.map((row) => paper.widthOf(row[index] ?? "", style)));
    const natural = columns.map((column, index) => {
      const words = column.label.split(" ").map((word) => paper.widthOf(word, style));
      const name = Math.min(paper.widthOf(column.label, style), 6 * size);
      return Math.max(widestOf(index), ...words, name, isNumeric(column) ? 24 : 40) + 2 * PAD + ROUNDING;
    });
    const texts = columns.flatMap((column, index) => (isNumeric(column) ? [] : [index]));
    const numeric = natural.reduce((sum, width, index) => sum + (texts.includes(index) ? 0 : width), 0);
    const wanted = texts.reduce((sum, index) => sum + (natural[index] ?? 0), 0);
    const rest = paper.width - numeric;
    const isLast = size === SIZES.at(-1);
    if (rest < texts.length * LEAST_TEXT && wanted > rest && !isLast) continue;
    const widths = widthsOf(natural, texts, Math.max(rest, texts.length * 24), wanted);
    const scale = Math.min(1, paper.width / widths.reduce((sum, width) => sum + width, 0));
    const fitted = widths.map((width) => width * scale);
    const heads = columns.map(({ label }, index) =>
      paper.linesOf(label, (fitted[index] ?? 0) - 2 * PAD, MOST_LINES, style),
    );
    return { size, widths: fitted, heads };
  }
  return { size: SIZES[0] ?? 8, widths: [], heads: [] };
}

/** The first text takes what is left over; texts that are too long share what there is. */
function widthsOf(natural: readonly number[], texts: readonly number[], rest: number, wanted: number): number[] {
  if (texts.length === 0) return [...natural];
  if (wanted <= rest) return natural.map((width, index) => (index === texts[0] ? width + rest - wanted : width));
  // A column that needs less than its share leaves the rest to the others.
  const widths = [...natural];
  let [open, room] = [[...texts], rest];
  for (let small = [-1]; small.length > 0; ) {
    const share = room / open.length;
    small = open.filter((index) => (natural[index] ?? 0) <= share);
    room -= small.reduce((sum, index) => sum + (natural[index] ?? 0), 0);
    open = open.filter((index) => !small.includes(index));
  }
  for (const index of open) widths[index] = room / open.length;
  return widths;
}

function drawHead(paper: Paper, columns: readonly Column[], layout: Layout): void {
  drawCells(paper, columns, layout.widths, layout.heads, { size: layout.size, colour: MUTED });
  paper.y += headHeightOf(layout);
  paper.rectangle(paper.left, paper.y - 3, paper.width, 0.6, LINE);
}

function drawRow(
  paper: Paper,
  columns: readonly Column[],
  layout: Layout,
  row: readonly string[],
  share: number,
): void {
  const { size, widths } = layout;
  const style = { size };
  const lines = row.map((text, index) => paper.linesOf(text, (widths[index] ?? 0) - 2 * PAD, MOST_LINES, style));
  const height = rowHeight(size, Math.max(...lines.map((one) => one.length)));
  if (paper.room < height) {
    paper.newPage();
    drawHead(paper, columns, layout);
  }
  if (share > 0) paper.rectangle(paper.left, paper.y - 1.5, share * (widths[0] ?? 0), height - 2, BAR, 2);
  drawCells(paper, columns, widths, lines, style);
  paper.y += height;
}

function drawCells(
  paper: Paper,
  columns: readonly Column[],
  widths: readonly number[],
  lines: readonly string[][],
  style: { size: number; colour?: string },
): void {
  let x = paper.left;
  for (const [index, column] of columns.entries()) {
    const width = widths[index] ?? 0;
    for (const [line, text] of (lines[index] ?? []).entries()) {
      const y = paper.y + line * style.size * LEADING;
      paper.line(text, x + PAD, y, style, isNumeric(column) ? { right: width - 2 * PAD } : undefined);
    }
    x += width;
  }
}
