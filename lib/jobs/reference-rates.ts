import { db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { type Internet, readPage, Unreachable } from "@/lib/platform/outbound/outbound";
import { processWide } from "@/lib/platform/process-wide";
import { Temporal } from "@/lib/platform/time";

/**
 * URLs of the euro reference rates, which the European Central Bank publishes on working days about 16:00 CET. They are
 * stored as rates of site 0, which apply to every site; a site's own rates take precedence.
 */
interface RateFiles {
  /** The last working day. */
  daily: string;
  /** The last 90 days. */
  history: string;
}

const ECB: RateFiles = {
  daily: "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml",
  history: "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist-90d.xml",
};
const ALL_SITES = 0;
const LIMITS = { limitBytes: 1024 * 1024, deadlineMs: 20_000, redirects: 2 };
const PUBLISHED_BY = Temporal.PlainTime.from("16:30");

/** Whether the last attempt failed, so that an installation without Internet access logs it only once. */
const state = processWide("reference-rates", () => ({ failed: false }));

export interface Rate {
  currency: string;
  /** Such as 2026-11-20. */
  day: string;
  /** Units of the currency for one euro, as decimal text. */
  perEuro: string;
}

/**
 * Fetches the rates published since the last run: the last day, or the last 90 days when more than one is missing. If
 * that fails, the stored rates stay in use and the next run tries again. With `EXCHANGE_RATES=off` it fetches nothing.
 *
 * @param options.siteId the site that the rates are for; overridden by tests, like the other options
 */
export async function refreshRates(
  now: Date,
  { files = ECB, internet = {} as Internet, siteId = ALL_SITES, source = env().EXCHANGE_RATES } = {},
): Promise<"off" | "current" | "stored" | "unreachable"> {
  if (source === "off") return "off";
  const due = lastPublicationDay(now);
  const { _max: newest } = await db().exchangeRate.aggregate({ where: { siteId }, _max: { day: true } });
  const known = newest.day ? Temporal.PlainDate.from(newest.day.toISOString().slice(0, 10)) : null;
  if (known && Temporal.PlainDate.compare(known, due) >= 0) return "current";
  const rates = await fetchRates(known?.equals(workday(due, -1)) ? files.daily : files.history, now, internet);
  if (!rates) return "unreachable";
  await store(siteId, rates);
  return "stored";
}

/** Returns the last working day whose rates should be published. Ignores holidays, when the fetch finds nothing new. */
function lastPublicationDay(now: Date): Temporal.PlainDate {
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO("Europe/Berlin");
  const early = Temporal.PlainTime.compare(local.toPlainTime(), PUBLISHED_BY) < 0;
  return workday(local.toPlainDate(), early ? -1 : 0);
}

/** Returns the working day on or before `day` plus `days`. */
function workday(day: Temporal.PlainDate, days: number): Temporal.PlainDate {
  const moved = day.add({ days });
  return moved.dayOfWeek > 5 ? moved.subtract({ days: moved.dayOfWeek - 5 }) : moved;
}

async function fetchRates(url: string, now: Date, internet: Internet): Promise<Rate[] | null> {
  try {
    const { status, body, complete } = await readPage(url, LIMITS, internet);
    const rates = status === 200 && complete ? readRates(body.toString("utf8"), now) : null;
    if (!rates) throw new Unreachable(false);
    state.failed = false;
    return rates;
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    if (!state.failed) log.warn({ url }, "euro reference rates could not be fetched; the stored rates stay in use");
    state.failed = true;
    return null;
  }
}

const MAX_RATES = 20_000;
const TIME = /^ time=(["'])(\d{4}-\d{2}-\d{2})\1$/;
const RATE = /^ currency=(["'])([A-Z]{3})\1 rate=(["'])(\d{1,10}(?:\.\d{1,8})?|N\/A)\3 ?\/$/;

/**
 * Parses the ECB's file: nested `Cube` elements, one per day, containing one per currency. Not a general XML parser; a
 * file with unexpected `Cube` attributes is refused as a whole.
 *
 * @returns null for another format, a file without rates, or one with a future day.
 */
export function readRates(xml: string, now: Date): Rate[] | null {
  if (!xml.includes("<gesmes:Envelope") || /<!(DOCTYPE|ENTITY)/i.test(xml)) return null;
  const tomorrow = new Date(now.getTime() + DAY_MS).toISOString().slice(0, 10);
  const rates: Rate[] = [];
  let day: string | null = null;
  for (const [, attributes = ""] of xml.matchAll(/<Cube\b([^<>]*)>/g)) {
    if (attributes === "") continue;
    const time = TIME.exec(attributes)?.[2];
    const [, , currency, , perEuro] = RATE.exec(attributes) ?? [];
    if (time !== undefined && isDay(time) && time <= tomorrow) day = time;
    else if (day === null || !currency || !perEuro || rates.length >= MAX_RATES) return null;
    else if (Number(perEuro) > 0) rates.push({ currency, day, perEuro });
    else if (perEuro !== "N/A") return null;
  }
  return rates.length > 0 ? rates : null;
}

function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** Stores rates and updates those that the bank has corrected. */
async function store(siteId: number, rates: Rate[]): Promise<void> {
  const unique = [...new Map(rates.map((rate) => [`${rate.currency} ${rate.day}`, rate])).values()];
  await db().$executeRaw`
    INSERT INTO exchange_rate (site_id, currency, day, per_euro)
    SELECT ${siteId}, currency, day, per_euro
    FROM unnest(${unique.map(({ currency }) => currency)}::text[], ${unique.map(({ day }) => day)}::date[],
                ${unique.map(({ perEuro }) => perEuro)}::numeric[]) AS published(currency, day, per_euro)
    ORDER BY currency, day
    ON CONFLICT (site_id, currency, day) DO UPDATE SET per_euro = excluded.per_euro
    WHERE exchange_rate.per_euro <> excluded.per_euro`;
}
