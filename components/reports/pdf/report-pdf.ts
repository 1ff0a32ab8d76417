import { ACCENT, INK, LEADING, LINE, MUTED, Paper } from "@/components/reports/pdf/paper";
import { drawTable, isWide } from "@/components/reports/pdf/table";
import type { Sheet } from "@/components/reports/sheet";
import { formatExactly } from "@/lib/contract/numbers";
import { msg, t } from "@/lib/texts/translate";

/** A report as a PDF: what it is about, totals, one chart, and its tables. */

interface Total {
  label: string;
  value: string;
  /** Compared with the range before. */
  before: string | null;
}

interface Bar {
  name: string;
  value: number;
  /** Whether its time has not passed yet. */
  partial: boolean;
}

export interface ReportOnPaper {
  site: string;
  title: string;
  /** Range, comparison, traffic and filters, a line each. */
  about: readonly string[];
  totals: readonly Total[];
  chart: { title: string; bars: readonly Bar[] } | null;
  sheets: readonly Sheet[];
  /** When it was made, and as text of the site's time zone. */
  at: Date;
  made: string;
}

const LACKING = msg(
  "Some letters are of scripts that this file has no font for, and are shown as boxes. The report's page and its CSV have them.",
);

export async function pdfOf({
  site,
  title,
  about,
  totals,
  chart,
  sheets,
  at,
  made,
}: ReportOnPaper): Promise<Buffer<ArrayBuffer>> {
  const paper = new Paper({ title: `${title} · ${site}`, author: site, at, wide: sheets.some(isWide) });
  drawHead(paper, site, title, about);
  if (totals.length > 0) drawTotals(paper, totals);
  if (chart && chart.bars.length > 1) drawChart(paper, chart.title, chart.bars);
  for (const sheet of sheets) {
    await drawTable(paper, sheet);
  }
  if (paper.lacksLetters) drawNote(paper, t(LACKING));
  return paper.end(`${title} · ${site} · ${made} · Footfall`);
}

const SITE = { size: 10, colour: MUTED };
const TITLE = { face: "strong", size: 20 } as const;
const ABOUT = { size: 9, colour: MUTED };
const MOST_ABOUT = 40;

function drawHead(paper: Paper, site: string, title: string, about: readonly string[]): void {
  for (const [text, style, most] of [[site, SITE, 1] as const, [title, TITLE, 2] as const]) {
    drawLines(paper, paper.linesOf(text, paper.width, most, style), style);
  }
  paper.y += 4;
  for (const text of about.slice(0, MOST_ABOUT)) drawLines(paper, paper.linesOf(text, paper.width, 3, ABOUT), ABOUT);
  paper.y += 12;
}

function drawLines(paper: Paper, lines: readonly string[], style: { size: number; colour?: string }): void {
  for (const line of lines) {
    if (paper.room < style.size * LEADING) paper.newPage();
    paper.line(line, paper.left, paper.y, style);
    paper.y += style.size * LEADING;
  }
}

const LABEL = { size: 8, colour: MUTED };
const VALUE = { face: "strong", size: 15 } as const;
const TOTALS_HEIGHT = 58;

function drawTotals(paper: Paper, totals: readonly Total[]): void {
  if (paper.room < TOTALS_HEIGHT) paper.newPage();
  const width = paper.width / totals.length;
  paper.rule(paper.y);
  for (const [index, { label, value, before }] of totals.entries()) {
    const x = paper.left + index * width;
    const short = (text: string, style: typeof LABEL) => paper.linesOf(text, width - 6, 1, style)[0] ?? "";
    paper.line(short(label, LABEL), x, paper.y + 8, LABEL);
    paper.line(value, x, paper.y + 19, VALUE);
    if (before !== null) paper.line(short(t("was {value}", { value: before }), LABEL), x, paper.y + 41, LABEL);
  }
  paper.y += TOTALS_HEIGHT;
}

const CHART_TITLE = { face: "strong", size: 10.5 } as const;
const TICK = { size: 7.5, colour: MUTED };
const CHART_HEIGHT = 96;
const BLOCK = CHART_HEIGHT + 50;

function drawChart(paper: Paper, title: string, bars: readonly Bar[]): void {
  if (paper.room < BLOCK) paper.newPage();
  paper.rule(paper.y);
  paper.line(title, paper.left, paper.y + 8, CHART_TITLE);
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const [top, bottom] = [paper.y + 30, paper.y + 30 + CHART_HEIGHT];
  paper.line(formatExactly(most), paper.left, top - 10, TICK, { right: paper.width });
  paper.rectangle(paper.left, top, paper.width, 0.5, LINE);
  paper.rectangle(paper.left, top + CHART_HEIGHT / 2, paper.width, 0.5, LINE);
  const step = paper.width / bars.length;
  const gap = Math.min(2, step / 4);
  for (const [index, { value, partial }] of bars.entries()) {
    const height = (value / most) * CHART_HEIGHT;
    const colour = partial ? "#a7bbef" : ACCENT;
    paper.rectangle(paper.left + index * step + gap / 2, bottom - height, step - gap, height, colour, 1.5);
  }
  paper.rectangle(paper.left, bottom, paper.width, 0.6, INK);
  paper.line(bars[0]?.name ?? "", paper.left, bottom + 5, TICK);
  paper.line(bars.at(-1)?.name ?? "", paper.left, bottom + 5, TICK, { right: paper.width });
  paper.y = bottom + 24;
}

function drawNote(paper: Paper, text: string): void {
  paper.y += 8;
  drawLines(paper, paper.linesOf(text, paper.width, 3, ABOUT), ABOUT);
}
