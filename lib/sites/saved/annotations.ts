import { z } from "zod";
import type { SiteAccess } from "@/lib/contract/define";
import {
  about,
  integerId,
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

/** Annotations of a site, shown on its charts and in its email reports. */

/** Few enough to load all of them at once. */
const MAX_ANNOTATIONS = 1_000;
/** Limit of annotations in the response for a range. */
const MAX_IN_RANGE = 100;
const MAX_URL_LENGTH = 2048;

const kinds = Object.keys(ANNOTATION_KINDS) as [AnnotationKind, ...AnnotationKind[]];

export const annotationId = integerId("must be the id of an annotation").meta({ examples: [7] });

const annotationTime = z.iso
  .datetime({ offset: true, message: "must be a time with an offset, such as 2026-11-20T09:30:00+01:00" })
  .refine((text) => isSupportedYear(new Date(text).getUTCFullYear()), SUPPORTED_YEARS);

export const annotationInput = z.strictObject({
  site_id: siteId,
  id: changedId(annotationId),
  date: optionalParam(supportedDay).meta({
    description: "Local date of the annotation, in the site's timezone. Give exactly one of `date` and `time`.",
  }),
  time: optionalParam(annotationTime).meta({ description: "Time of the annotation" }),
  text: z
    .string("must be text")
    .overwrite(plainText)
    .trim()
    .min(1, "must not be empty")
    .max(280, "must have at most 280 characters"),
  url: optionalParam(
    z
      .string("must be a URL such as https://example.com/notes")
      .max(MAX_URL_LENGTH, `must have at most ${MAX_URL_LENGTH} characters`)
      .refine((text) => webAddress(text) !== null, "must be a URL such as https://example.com/notes"),
  ).meta({ description: "An http or https URL with more information" }),
  kind: optionalParam(z.enum(kinds, `must be one of ${kinds.join(", ")}`)).meta({ description: "Default note" }),
});
export type AnnotationInput = z.output<typeof annotationInput>;

export const annotationShape = z
  .object({
    id: annotationId,
    at: z.iso.datetime().meta({ description: "Its time, or the start of its local date" }),
    date: about(z.string(), "Its local date", "2026-11-20"),
    all_day: z.boolean().meta({ description: "Whether it applies to the whole day instead of the time `at`" }),
    kind: z.enum(kinds),
    text: untrusted.meta({ examples: ["Version 2.0 is live"] }),
    url: untrusted.nullable().meta({ examples: ["https://example.com/pricing"] }),
  })
  .meta({ id: "Annotation" });
export type AnnotationShape = z.output<typeof annotationShape>;

/** Returns the normalised URL; null if it is not an http or https URL. */
function webAddress(text: string): string | null {
  const url = parseUrl(text);
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  return url && isWeb && !url.username && !url.password && url.href.length <= MAX_URL_LENGTH ? url.href : null;
}

type Row = Prisma.AnnotationGetPayload<object>;
type ZonedSite = Pick<SiteAccess, "id" | "timezone">;

/** Converts a date for a Postgres `date` column, which has no timezone. */
const dayOf = (date: string) => new Date(`${date}T00:00:00Z`);

function describeAnnotation({ id, day, at: moment, kind, text, url }: Row, timezone: string): AnnotationShape {
  const date = day ? Temporal.PlainDate.from(day.toISOString().slice(0, 10)) : localDay(moment as Date, timezone);
  const at = moment ?? startOfDay(date, timezone);
  return { id, at: at.toISOString(), date: date.toString(), all_day: day !== null, kind, text, url };
}

/** Lists all annotations of a site, oldest first. Dates of those with a time are in the site's current timezone. */
export async function listAnnotations(on: Db, site: ZonedSite): Promise<AnnotationShape[]> {
  const rows = await on.annotation.findMany({ where: { siteId: site.id }, orderBy: { id: "asc" } });
  return rows.map((row) => describeAnnotation(row, site.timezone)).sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/**
 * Returns the latest 100 annotations of a range, oldest first.
 *
 * @param range `start` is inclusive, `end` exclusive
 */
export async function annotationsIn(
  on: Db,
  site: ZonedSite,
  { start, end }: { start: Date; end: Date },
): Promise<AnnotationShape[]> {
  const all = await listAnnotations(on, site);
  // An all-day annotation belongs to every range that overlaps its day.
  const endOf = ({ at, date, all_day }: AnnotationShape) =>
    all_day ? startOfDay(Temporal.PlainDate.from(date).add({ days: 1 }), site.timezone) : new Date(Date.parse(at) + 1);
  const within = all.filter((one) => new Date(one.at) < end && endOf(one) > start);
  return within.slice(-MAX_IN_RANGE);
}

/**
 * Creates an annotation, or changes the one with `id`.
 *
 * @throws Refusal `not_found` if the site has no such annotation, `invalid_input` without exactly one of `date` and
 *   `time` or beyond the limit
 */
export async function saveAnnotation(work: SiteWork, input: AnnotationInput): Promise<AnnotationShape> {
  const { db, site, principal, now } = work;
  const { id, date, time, text, url, kind } = input;
  if (!date && !time) throw invalidInput([{ path: "date", message: "is required unless time is given" }]);
  if (date && time) throw invalidInput([{ path: "time", message: "must not be combined with date" }]);
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
  if ((await db.annotation.count({ where: { siteId: site.id } })) >= MAX_ANNOTATIONS) throw tooMany();
  const data = { ...row, siteId: site.id, createdById: principal.personId, createdAt: now };
  return describeAnnotation(await db.annotation.create({ data }), site.timezone);
}

/**
 * Deletes an annotation.
 *
 * @returns the deleted annotation, so that it can be saved again
 * @throws Refusal `not_found`
 */
export async function deleteAnnotation({ db, site }: SiteWork, id: number): Promise<AnnotationShape> {
  const row = await db.annotation.findFirst({ where: { siteId: site.id, id } });
  if (!row) throw missing();
  await db.annotation.delete({ where: { id } });
  return describeAnnotation(row, site.timezone);
}

const missing = () => new Refusal("not_found", "The site has no annotation with this id.");
const tooMany = () =>
  new Refusal("invalid_input", `The site has reached the limit of ${MAX_ANNOTATIONS} annotations. Delete one first.`);
