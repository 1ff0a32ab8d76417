import { changeBetween } from "@/lib/contract/changes";
import { formatAmount, formatExactly, formatMeasure } from "@/lib/contract/numbers";
import { ANNOTATION_KINDS, MEASURES, type Measure, type Metric, type Outcome } from "@/lib/contract/vocabulary";
import { unlink, unlinkOthers } from "@/lib/email/links";
import { type Email, writeEmail } from "@/lib/email/mailer";
import { env } from "@/lib/platform/env";
import { countryName } from "@/lib/platform/intl-names";
import { currentLocale } from "@/lib/platform/locale";
import { Temporal } from "@/lib/platform/time";
import type { Cadence, Period } from "@/lib/sites/reports/period";
import { barChart } from "@/lib/sites/reports/png";
import { unsubscribeLinks } from "@/lib/sites/reports/unsubscribe";
import type { AnnotationShape } from "@/lib/sites/saved/annotations";
import { currentLanguage, msg, t } from "@/lib/texts/translate";

/** Builds the email of a report: plain text, and HTML with dark mode support and a chart of visitors. */

type PanelKey = (typeof PANELS)[number]["panel"];

/** Outcomes are those that the site has: money with sales, conversions with goals. */
type Measured = Record<Metric, number | null> & Partial<Record<Outcome, number | null>>;

export interface ReportData {
  metrics: Measured;
  previous: Measured | null;
  /** The currency of money; null without sales. */
  currency: string | null;
  /** Those that brought most first: revenue on a site with sales, otherwise visits. */
  campaigns: { campaign: string; visits: number; revenue: number | null }[];
  panels: Record<PanelKey, { value: string | null; visitors: number }[]>;
  domain: string;
  /** The domain if it may become a link, otherwise empty. */
  kept: string[];
  /** Per day; per hour in a daily report. */
  visitors: number[];
  annotations: AnnotationShape[];
  /** What explains how visits changed, as sentences. */
  changes: string[];
}

export interface Report {
  siteId: number;
  cadence: Cadence;
  period: Period;
  data: ReportData;
  /** Whether it goes to a member, who finds the dashboard and the settings. */
  toMember: boolean;
}

export type WrittenReport = Pick<Required<Email>, "subject" | "text" | "html" | "picture">;

const CHART = "visitors@footfall";
const PANEL_ROWS = 5;
const CHANGES = 3;

const HEADLINES = [
  ...["visitors", "visits", "pageviews", "views_per_visit", "bounce_rate", "visit_duration"],
] as const satisfies readonly Metric[];
/** After them, each line of those that the site has. */
const OUTCOME_LINES: readonly (readonly Outcome[])[] = [
  ["revenue", "orders", "average_order_value"],
  ["conversions", "conversion_rate"],
];

const PANELS = [
  { panel: "pages", title: msg("Pages"), name: (value: string | null) => value ?? t("Unknown page") },
  { panel: "sources", title: msg("Sources"), name: (value: string | null) => value || t("Direct or unknown") },
  {
    panel: "countries",
    title: msg("Countries"),
    name: (value: string | null) => (value === null ? t("Unknown") : countryName(value, currentLanguage())),
  },
] as const;

const dayName = { day: "numeric", month: "long", year: "numeric" } as const;
const dayAndMonth = { day: "numeric", month: "long" } as const;

/** Formats the period: "16 November 2026 to 22 November 2026", "November 2026", or "Monday, 16 November 2026". */
function formatPeriod({ from, to }: Period, cadence: Cadence): string {
  const locale = dateLocale();
  if (cadence === "daily") return from.toLocaleString(locale, { weekday: "long", ...dayName });
  if (cadence === "monthly") return from.toLocaleString(locale, { month: "long", year: "numeric" });
  return t("{from} to {to}", { from: from.toLocaleString(locale, dayName), to: to.toLocaleString(locale, dayName) });
}

/** Dates within English sentences are British. */
const dateLocale = (): string => (currentLanguage() === "en" ? "en-GB" : currentLocale());

const COMPARED: Record<Cadence, string> = {
  daily: msg("Compared with the same day of the previous week."),
  weekly: msg("Compared with the previous week."),
  monthly: msg("Compared with the previous month."),
};
/** The earlier period, at the end of a sentence, and whose reports they are, within one. */
const BEFORE: Record<Cadence, string> = {
  daily: msg("compared with the same day of the previous week"),
  weekly: msg("compared with the previous week"),
  monthly: msg("compared with the previous month"),
};
const SUBSCRIBED: Record<Cadence, string> = {
  daily: msg("you are subscribed to daily reports of {domain}"),
  weekly: msg("you are subscribed to weekly reports of {domain}"),
  monthly: msg("you are subscribed to monthly reports of {domain}"),
};
const CONFIRMED: Record<Cadence, string> = {
  daily: msg("this address was confirmed for daily reports of {domain}"),
  weekly: msg("this address was confirmed for weekly reports of {domain}"),
  monthly: msg("this address was confirmed for monthly reports of {domain}"),
};

interface Headline {
  label: string;
  value: string;
  change: string | null;
}

interface Panel {
  title: string;
  /** What the numbers are; the first one sorts. */
  columns: Measure[];
  rows: { name: string; numbers: string[] }[];
}

interface Content {
  changes: string[];
  /** In lines of up to three. */
  headlines: Headline[][];
  panels: Panel[];
  annotations: { day: string; kind: string; text: string }[];
}

/** Formats a number as the dashboard does, but counts and money with all digits. */
function textOf(measure: Measure, value: number, currency: string | null): string {
  const { unit } = MEASURES[measure];
  if (unit === "count") return formatExactly(value);
  return unit === "money" && currency ? formatAmount(value, currency) : formatMeasure(measure, value, currency);
}

/** Returns "+12%", "−1.2 pts", "<1%" or null. */
function changeText(
  measure: Measure,
  now: number | null,
  before: number | null | undefined,
  currency: string | null,
): string | null {
  const { label, unit } = MEASURES[measure];
  const shown = (value: number) => textOf(measure, value, currency);
  const change = changeBetween({ label, isRate: unit === "fraction" }, now, before, shown);
  return change && `${/^[×<]/.test(change.text) ? "" : change.up ? "+" : "−"}${change.text}`;
}

function contentOf({ metrics, previous, currency, campaigns, panels, annotations, changes }: ReportData): Content {
  const headline = (measure: Measure): Headline => {
    const value = metrics[measure] ?? null;
    return {
      label: t(MEASURES[measure].label),
      value: value === null ? "–" : textOf(measure, value, currency),
      change: changeText(measure, value, previous?.[measure], currency),
    };
  };
  const lines: (readonly Measure[])[] = [
    HEADLINES.slice(0, 3),
    HEADLINES.slice(3),
    ...OUTCOME_LINES.map((line) => line.filter((outcome) => metrics[outcome] !== undefined)),
  ];
  return {
    changes: changes.slice(0, CHANGES).map((sentence) => unlink(sentence)),
    headlines: lines.filter((line) => line.length > 0).map((line) => line.map(headline)),
    panels: [
      ...PANELS.map(({ panel, title, name }) => ({
        title: t(title),
        columns: ["visitors" as const],
        rows: panels[panel]
          .slice(0, PANEL_ROWS)
          .map(({ value, visitors }) => ({ name: unlink(name(value)), numbers: [formatExactly(visitors)] })),
      })),
      ...campaignPanel(campaigns, currency),
    ],
    annotations: annotations.map(({ date, kind, text }) => ({
      day: Temporal.PlainDate.from(date).toLocaleString(dateLocale(), dayAndMonth),
      kind: t(ANNOTATION_KINDS[kind]),
      text: unlink(text),
    })),
  };
}

/** The campaigns of the period; none for a site without them. */
function campaignPanel(campaigns: ReportData["campaigns"], currency: string | null): Panel[] {
  if (campaigns.length === 0) return [];
  const rows = campaigns.slice(0, PANEL_ROWS).map(({ campaign, visits, revenue }) => ({
    name: unlink(campaign),
    numbers: [...(currency ? [textOf("revenue", revenue ?? 0, currency)] : []), formatExactly(visits)],
  }));
  return [{ title: t("Campaigns"), columns: [...(currency ? ["revenue" as const] : []), "visits"], rows }];
}

/** Stands where each email has its own token. */
const PLACEHOLDER = "preview";

/** Builds the email of a report, to nobody yet: `addressed` gives it a reader. */
export function reportEmail(report: Report): WrittenReport {
  const { siteId, cadence, period, data, toMember } = report;
  const unsubscribe = unsubscribeLinks(PLACEHOLDER).page;
  const [days, content] = [formatPeriod(period, cadence), contentOf(data)];
  const url = `${env().BASE_URL}/sites/${siteId}?from=${period.from}&to=${period.to}`;
  const { domain } = data;
  const visitors = content.headlines[0]?.[0]?.value ?? "";
  const paragraphs = [
    t("{domain}, {days}, {compared}:", { domain, days, compared: t(BEFORE[cadence]) }),
    headlineLines(content.headlines.flat()),
    ...(content.changes.length > 0
      ? [[t("What changed:"), ...content.changes.map((sentence) => `    ${sentence}`)].join("\n")]
      : []),
    ...content.panels.filter(({ rows }) => rows.length > 0).map(panelLines),
    ...annotationLines(content.annotations),
    ...(toMember ? [t("View dashboard: {url}", { url })] : []),
    t("Unsubscribe: {url}", { url: unsubscribe }),
  ];
  const why = t((toMember ? SUBSCRIBED : CONFIRMED)[cadence], { domain });
  const email = writeEmail({ email: "", language: null }, () => ({
    subject: t("{domain}: {visitors} visitors, {days}", { domain, visitors, days }),
    paragraphs,
    why,
    kept: data.kept,
  }));
  return {
    subject: email.subject,
    text: email.text,
    html: html({
      domain: unlinkOthers(data.domain, data.kept),
      days,
      content,
      url: toMember ? url : null,
      cadence,
      why: unlinkOthers(why, data.kept),
      unsubscribe,
    }),
    picture: { cid: CHART, png: barChart(data.visitors).toString("base64") },
  };
}

/** Returns a report as an email to one address, with its own links to unsubscribe. */
export function addressed({ subject, text, html: page, picture }: WrittenReport, to: string, token: string): Email {
  const [placeholder, links] = [unsubscribeLinks(PLACEHOLDER).page, unsubscribeLinks(token)];
  const withLink = (one: string) => one.replaceAll(placeholder, links.page);
  return { to, subject, text: withLink(text), html: withLink(page), picture, unsubscribe: links.oneClick };
}

const WIDTH = { label: 16, number: 7 };

function headlineLines(all: Headline[]): string {
  const width = Math.max(WIDTH.label, ...all.map(({ label }) => label.length));
  return all
    .map(({ label, value, change }) => `    ${label.padEnd(width)} ${value}${change ? ` (${change})` : ""}`)
    .join("\n");
}

function panelLines({ title, columns, rows }: Panel): string {
  const widths = columns.map((_, at) => Math.max(WIDTH.number, ...rows.map(({ numbers }) => numbers[at]?.length ?? 0)));
  return [
    t("{title}, by {measures, select, visitors {visitors} visits {visits} other {revenue, with visits}}:", {
      title,
      measures: columns.join(" "),
    }),
    ...rows.map(
      ({ name, numbers }) => `    ${numbers.map((one, at) => one.padStart(widths[at] ?? 0)).join("  ")}  ${name}`,
    ),
  ].join("\n");
}

/** Leaves out the URLs of annotations: in emails only URLs below `BASE_URL` may be links. */
const annotationLines = (all: Content["annotations"]): string[] =>
  all.length > 0 ? [[t("Annotations:"), ...all.map(annotationLine)].join("\n")] : [];
const annotationLine = ({ day, kind, text }: Content["annotations"][number]) => `    ${day}, ${kind}: ${text}`;

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const STYLE = `
  body { margin: 0; background: #f5f6f8; color: #14181f; font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif; }
  .card { background: #ffffff; border: 1px solid #dfe3e8; border-radius: 12px; }
  .muted { color: #586273; }
  a { color: #1d4ed8; }
  .row td, .row th { border-top: 1px solid #e6e9ee; }
  @media (prefers-color-scheme: dark) {
    body { background: #0d1117; color: #e8ebf0; }
    .card { background: #161c24; border-color: #2a323d; }
    .muted { color: #9aa5b4; }
    a { color: #8ab0ff; }
    .row td, .row th { border-color: #2a323d; }
  }`;

interface Page {
  domain: string;
  days: string;
  content: Content;
  /** Of the dashboard; null for who is not a member. */
  url: string | null;
  cadence: Cadence;
  why: string;
  unsubscribe: string;
}

function html({ domain, days, content, url, cadence, why, unsubscribe }: Page): string {
  const chart = cadence === "daily" ? t("Visitors per hour") : t("Visitors per day");
  return `<!doctype html>
<html lang="${currentLanguage()}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escaped(domain)}</title><style>${STYLE}</style></head>
<body><table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px"><tr><td style="padding:24px 20px">
<h1 style="margin:0;font-size:20px;line-height:1.3;word-break:break-word">${escaped(domain)}</h1>
<p class="muted" style="margin:2px 0 20px">${escaped(days)}</p>
${headlines(content.headlines)}
<p class="muted" style="margin:4px 0 16px;font-size:13px">${escaped(t(COMPARED[cadence]))}</p>
<img src="cid:${CHART}" width="520" alt="${chart}" style="display:block;width:100%;height:auto;border:0">
<p class="muted" style="margin:6px 0 0;font-size:13px">${chart}</p>
${changeList(content.changes)}
${content.panels.map(panel).join("\n")}
${annotationTable(content.annotations)}
${url ? `<p style="margin:24px 0 0"><a href="${escaped(url)}">${escaped(t("View dashboard"))}</a></p>` : ""}
</td></tr></table>
<p class="muted" style="max-width:560px;margin:16px auto 0;font-size:13px">${escaped(t("You received this email because {why}.", { why }))} <a href="${escaped(unsubscribe)}">${escaped(t("Unsubscribe"))}</a></p>
</td></tr></table></body></html>`;
}

/** Lines of three, which fit a phone too. */
function headlines(all: Content["headlines"]): string {
  const cell = ({ label, value, change }: Headline) =>
    `<td width="33%" valign="top" style="padding:0 8px 14px 0"><div class="muted" style="font-size:13px">${label}</div><div style="font-size:20px;line-height:1.3;font-weight:600">${value.replace("\u00a0", " ")}</div><div class="muted" style="font-size:13px">${change ?? "&#160;"}</div></td>`;
  const rows = all.map((line) => `<tr>${line.map(cell).join("")}</tr>`);
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0">${rows.join("")}</table>`;
}

function changeList(all: Content["changes"]): string {
  if (all.length === 0) return "";
  const rows = all.map(
    (sentence) => `<tr class="row"><td style="padding:6px 0;overflow-wrap:anywhere">${escaped(sentence)}</td></tr>`,
  );
  return `<h2 style="margin:24px 0 4px;font-size:16px">${escaped(t("What changed"))}</h2><table width="100%" cellpadding="0" cellspacing="0">${rows.join("")}</table>`;
}

function panel({ title, columns, rows }: Panel): string {
  const number = (one: string) =>
    `<td align="right" valign="top" style="padding:6px 0 6px 12px;white-space:nowrap">${one}</td>`;
  const lines = rows.map(
    ({ name, numbers }) =>
      `<tr class="row"><td style="padding:6px 0;word-break:break-word">${escaped(name)}</td>${numbers.map(number).join("")}</tr>`,
  );
  const heads = columns.map(
    (one) =>
      `<th align="right" class="muted" style="padding:0 0 2px 12px;font-weight:400;font-size:13px">${escaped(t(MEASURES[one].label))}</th>`,
  );
  const none = `<p class="muted" style="margin:0">${escaped(t("No data"))}</p>`;
  const table = `<table width="100%" cellpadding="0" cellspacing="0"><tr><th></th>${heads.join("")}</tr>${lines.join("")}</table>`;
  return `<h2 style="margin:24px 0 4px;font-size:16px">${title}</h2>${rows.length > 0 ? table : none}`;
}

function annotationTable(all: Content["annotations"]): string {
  if (all.length === 0) return "";
  const rows = all.map(
    ({ day, kind, text }) =>
      `<tr class="row"><td valign="top" class="muted" style="padding:6px 12px 6px 0;white-space:nowrap">${day}</td><td style="padding:6px 0;word-break:break-word">${kind}: ${escaped(text)}</td></tr>`,
  );
  return `<h2 style="margin:24px 0 4px;font-size:16px">${escaped(t("Annotations"))}</h2><table width="100%" cellpadding="0" cellspacing="0">${rows.join("")}</table>`;
}
