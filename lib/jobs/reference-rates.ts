import { db } from "@/lib/platform/db";
import { log } from "@/lib/platform/log";
import { type Internet, readPage, Unreachable } from "@/lib/platform/outbound/outbound";
import { processWide } from "@/lib/platform/process-wide";
import { Temporal } from "@/lib/platform/time";

/**
 * The euro's reference rates, as the European Central Bank publishes them on working days about 16:00 in Frankfurt. They
 * are stored as rates of site 0, which every site sees. What a site enters itself goes before them.
 */
export interface RateFiles {
  /** The last working day. */
  daily: string;
  /** The last 90 days. */
  history: string;
}

const ECB: RateFiles = {
  daily: "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml",
  history: "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist-90d.xml",
};
const EVERYONE = 0;
const LIMITS = { limitBytes: 1024 * 1024, deadlineMs: 20_000, redirects: 2 };
const PUBLISHED_BY = Temporal.PlainTime.from("16:30");

/** Whether the last try failed, so that an installation without the Internet says so once and not every few hours. */
const state = processWide("reference-rates", () => ({ failed: false }));

export interface Rate {
  currency: string;
  /** As in 2026-11-20. */
  day: string;
  /** Units of the currency for one euro, as decimal text. */
  perEuro: string;
}

/**
 * Fetches what has been published since the last time: the last day, or the last 90 when more than that is missing.
 * When it cannot be read, what is known holds on, and the next run tries again.
 *
 * @param internet what tests stand in for it.
 */
export async function refreshRates(
  now: Date,
  files: RateFiles = ECB,
  internet: Internet = {},
): Promise<"current" | "stored" | "unreachable"> {
  const due = publishedBy(now);
  const { _max: newest } = await db().exchangeRate.aggregate({ where: { siteId: EVERYONE }, _max: { day: true } });
  const known = newest.day ? Temporal.PlainDate.from(newest.day.toISOString().slice(0, 10)) : null;
  if (known && Temporal.PlainDate.compare(known, due) >= 0) return "current";
  const rates = await fetchRates(known?.equals(workday(due, -1)) ? files.daily : files.history, now, internet);
  if (!rates) return "unreachable";
  await store(rates);
  return "stored";
}

/** The last day whose rates should be there: a working day whose afternoon has come. Holidays are tried in vain. */
function publishedBy(now: Date): Temporal.PlainDate {
  const there = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO("Europe/Berlin");
  const early = Temporal.PlainTime.compare(there.toPlainTime(), PUBLISHED_BY) < 0;
  return workday(there.toPlainDate(), early ? -1 : 0);
}

/** The last working day of so many days later. */
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
    if (!state.failed) log.warn({ url }, "the euro's reference rates could not be read; those known hold on");
    state.failed = true;
    return null;
  }
}

const MOST_RATES = 20_000;
const TIME = /^ time=(["'])(\d{4}-\d{2}-\d{2})\1$/;
const RATE = /^ currency=(["'])([A-Z]{3})\1 rate=(["'])(\d{1,10}(?:\.\d{1,8})?|N\/A)\3 ?\/$/;

/**
 * Reads the bank's file: nested elements `Cube`, one for each day with one for each currency in it. Nothing else of XML
 * is understood, and a file with anything unexpected in these is refused as a whole.
 *
 * @returns null for a file that is not such a one, that tells of no rate, or of a day that has not come.
 */
export function readRates(xml: string, now: Date): Rate[] | null {
  if (!xml.includes("<gesmes:Envelope") || /<!(DOCTYPE|ENTITY)/i.test(xml)) return null;
  const tomorrow = new Date(now.getTime() + 24 * 3600_000).toISOString().slice(0, 10);
  const rates: Rate[] = [];
  let day: string | null = null;
  for (const [, attributes = ""] of xml.matchAll(/<Cube\b([^<>]*)>/g)) {
    if (attributes === "") continue;
    const time = TIME.exec(attributes)?.[2];
    const [, , currency, , perEuro] = RATE.exec(attributes) ?? [];
    if (time !== undefined && isDay(time) && time <= tomorrow) day = time;
    else if (day === null || !currency || !perEuro || rates.length >= MOST_RATES) return null;
    else if (Number(perEuro) > 0) rates.push({ currency, day, perEuro });
    else if (perEuro !== "N/A") return null;
  }
  return rates.length > 0 ? rates : null;
}

function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** A rate that the bank has corrected is corrected. */
async function store(rates: Rate[]): Promise<void> {
  const unique = [...new Map(rates.map((rate) => [`${rate.currency} ${rate.day}`, rate])).values()];
  await db().$executeRaw`
    INSERT INTO exchange_rate (site_id, currency, day, per_euro)
    SELECT ${EVERYONE}, currency, day, per_euro
    FROM unnest(${unique.map(({ currency }) => currency)}::text[], ${unique.map(({ day }) => day)}::date[],
                ${unique.map(({ perEuro }) => perEuro)}::numeric[]) AS published(currency, day, per_euro)
    ORDER BY currency, day
    ON CONFLICT (site_id, currency, day) DO UPDATE SET per_euro = excluded.per_euro
    WHERE exchange_rate.per_euro <> excluded.per_euro`;
}
