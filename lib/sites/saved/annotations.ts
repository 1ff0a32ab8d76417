import { z } from "zod";
import type { SiteAccess } from "@/lib/contract/define";
import {
  isSupportedYear,
  optionalParam,
  SUPPORTED_YEARS,
  siteId,
  supportedDay,
  untrusted,
} from "@/lib/contract/fields";
import { ANNOTATION_KINDS, type AnnotationKind } from "@/lib/contract/vocabulary";
import type { SiteWork } from "@/lib/gateway/changes/site-revision";
import type { Db, Prisma } from "@/lib/platform/db";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { parseUrl, plainText } from "@/lib/platform/text";
import { localDay, startOfDay, Temporal } from "@/lib/platform/time";
import { changedId } from "@/lib/sites/saved/save";

/** Notes on what happened on a site, shown with its charts and in its email reports. */

/** A list of all of them stays short enough to be read at once. */
export const MOST_ANNOTATIONS = 1_000;
/** How many of them an answer about a range has. */
const MOST_OF_RANGE = 100;
const LONGEST_URL = 2048;

const kinds = Object.keys(ANNOTATION_KINDS) as [AnnotationKind, ...AnnotationKind[]];

export const annotationId = z
  .int("must be the id of an annotation")
  .min(1, "must be the id of an annotation")
  .max(2 ** 31 - 1, "must be the id of an annotation");

const annotationTime = z.iso
  .datetime({ offset: true, message: "must be a time with an offset, such as 2026-11-20T09:30:00+01:00" })
  .refine((text) => isSupportedYear(new Date(text).getUTCFullYear()), SUPPORTED_YEARS);

export const annotationInput = z.strictObject({
  site_id: siteId,
  id: changedId(annotationId),
  date: optionalParam(supportedDay).meta({
    description: "The local day of the site that it is about. Give exactly one of `date` and `time`.",
  }),
  time: optionalParam(annotationTime).meta({ description: "The moment that it is about" }),
  text: z
    .string("must be text")
    .overwrite(plainText)
    .trim()
    .min(1, "must not be empty")
    .max(280, "must have at most 280 characters"),
  url: optionalParam(
    z
      .string("must be a web address such as https://example.com/notes")
      .max(LONGEST_URL, `must have at most ${LONGEST_URL} characters`)
      .refine((text) => webAddress(text) !== null, "must be a web address such as https://example.com/notes"),
  ).meta({ description: "A page with more about it, by https or http" }),
  kind: optionalParam(z.enum(kinds, `must be one of ${kinds.join(", ")}`)).meta({ description: "Default note" }),
});
export type AnnotationInput = z.output<typeof annotationInput>;

export const annotationShape = z
  .object({
    id: annotationId,
    at: z.iso.datetime().meta({ description: "Its moment, or where its local day begins" }),
    date: z.string().meta({ description: "Its local day" }),
    all_day: z.boolean().meta({ description: "It is about the whole day; false where it is about the moment `at`" }),
    kind: z.enum(kinds),
    text: untrusted,
    url: untrusted.nullable(),
  })
  .meta({ id: "Annotation" });
export type AnnotationShape = z.output<typeof annotationShape>;

/** The address in its normal form; null for one that is no link to a page. */
function webAddress(text: string): string | null {
  const url = parseUrl(text);
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  return url && isWeb && !url.username && !url.password && url.href.length <= LONGEST_URL ? url.href : null;
}

type Row = Prisma.AnnotationGetPayload<object>;
type ZonedSite = Pick<SiteAccess, "id" | "timezone">;

/** A day of Postgres, which has no zone. */
const dayOf = (date: string) => new Date(`${date}T00:00:00Z`);

function describeAnnotation({ id, day, at: moment, kind, text, url }: Row, timezone: string): AnnotationShape {
  const date = day ? Temporal.PlainDate.from(day.toISOString().slice(0, 10)) : localDay(moment as Date, timezone);
  const at = moment ?? startOfDay(date, timezone);
  return { id, at: at.toISOString(), date: date.toString(), all_day: day !== null, kind, text, url };
}

/** All annotations of a site, oldest first. The days of those with a moment are those of the site's present timezone. */
export async function listAnnotations(on: Db, site: ZonedSite): Promise<AnnotationShape[]> {
  const rows = await on.annotation.findMany({ where: { siteId: site.id }, orderBy: { id: "asc" } });
  return rows.map((row) => describeAnnotation(row, site.timezone)).sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/**
 * The annotations of a range, oldest first; where there are more than a hundred, the latest hundred.
 *
 * @param range `start` is inclusive, `end` exclusive.
 */
export async function annotationsIn(
  on: Db,
  site: ZonedSite,
  { start, end }: { start: Date; end: Date },
): Promise<AnnotationShape[]> {
  const all = await listAnnotations(on, site);
  // One about a whole day belongs to each range that has a part of that day.
  const endOf = ({ at, date, all_day }: AnnotationShape) =>
    all_day ? startOfDay(Temporal.PlainDate.from(date).add({ days: 1 }), site.timezone) : new Date(Date.parse(at) + 1);
  const within = all.filter((one) => new Date(one.at) < end && endOf(one) > start);
  return within.slice(-MOST_OF_RANGE);
}

/**
 * Makes an annotation, or changes the one with `id`.
 *
 * @throws Refusal `not_found` for one that the site does not have, `invalid_input` without exactly one of `date` and `time`,
 *   and for one too many.
 */
export async function saveAnnotation(work: SiteWork, input: AnnotationInput): Promise<AnnotationShape> {
  const { db, site, principal, now } = work;
  const { id, date, time, text, url, kind } = input;
  if (!date && !time) throw invalidInput([{ path: "date", message: "is required unless time is given" }]);
  if (date && time) throw invalidInput([{ path: "time", message: "must be absent where date is given" }]);
  const row = {
    day: date ? dayOf(date) : null,
    at: time ? new Date(time) : null,
    kind: kind ?? "note",
    text,
    url: url ? webAddress(url) : null,
    updatedAt: now,
  };
  if (id) {
    const { count } = await db.annotation.updateMany({ where: { siteId: site.id, id }, data: row });
    if (count === 0) throw missing();
    return describeAnnotation(await db.annotation.findUniqueOrThrow({ where: { id } }), site.timezone);
  }
  if ((await db.annotation.count({ where: { siteId: site.id } })) >= MOST_ANNOTATIONS) throw tooMany();
  const made = { ...row, siteId: site.id, createdById: principal.personId, createdAt: now };
  return describeAnnotation(await db.annotation.create({ data: made }), site.timezone);
}

/**
 * Deletes an annotation.
 *
 * @returns what was deleted, so that it can be saved again.
 * @throws Refusal `not_found`
 */
export async function deleteAnnotation({ db, site }: SiteWork, id: number): Promise<AnnotationShape> {
  const row = await db.annotation.findFirst({ where: { siteId: site.id, id } });
  if (!row) throw missing();
  await db.annotation.delete({ where: { id } });
  return describeAnnotation(row, site.timezone);
}

const missing = () => new Refusal("not_found", "The site has no such annotation (any more).");
const tooMany = () =>
  new Refusal(
    "invalid_input",
    `The site has ${MOST_ANNOTATIONS} annotations, which is the most a site can have; delete one first.`,
  );
