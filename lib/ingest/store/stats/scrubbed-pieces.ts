import {
  SCRUBBED,
  SCRUBBED_PLACES,
  type ScrubbedKind,
  type ScrubbedPiece,
  type ScrubbedPlace,
} from "@/lib/ingest/scrubbing/kinds";
import { countScrubbed } from "@/lib/ingest/store/stats/ingest-stats";
import { boundedMap } from "@/lib/platform/bounded-map";
import { DAY_MS } from "@/lib/platform/durations";
import { reports } from "@/lib/platform/reports";
import { sql } from "@/lib/platform/sql";
import { clip } from "@/lib/platform/text";

/** Counts replaced pieces by kind and place, and reads them. They are event outcomes whose reason is `kind:place:name`. */

const MAX_EXAMPLE_BYTES = 200;
const MAX_NAME_BYTES = 100;
/** Names come from requests: further ones of a site are counted without a name. */
const MAX_NAMES = 50;
const names = boundedMap<number, Set<string>>("scrubbed-names", { max: 5_000, ttl: DAY_MS });

/** Counts a replaced piece. @param result the text that is stored with it. */
export function countPiece(siteId: number, now: Date, { kind, place, name }: ScrubbedPiece, result: string): void {
  const reason = `${kind}:${place}:${knownName(siteId, clip(name, MAX_NAME_BYTES))}`;
  countScrubbed(siteId, now, reason, clip(result, MAX_EXAMPLE_BYTES));
}

function knownName(siteId: number, name: string): string {
  if (name === "") return "";
  const known = names.get(siteId) ?? new Set();
  if (!names.has(siteId)) names.set(siteId, known);
  if (known.has(name) || known.size < MAX_NAMES) known.add(name);
  return known.has(name) ? name : "";
}

/** What was replaced of one kind. */
export interface ScrubbedOfKind {
  kind: ScrubbedKind;
  pieces: number;
  /** UTC days that have any, in order. */
  days: { day: string; pieces: number }[];
  /** The most frequent first. */
  places: ScrubbedAt[];
}

interface ScrubbedAt {
  /** Null for what was counted before places were. */
  place: ScrubbedPlace | null;
  /** The property; null in other places, and for properties beyond the 50 whose names are kept. */
  name: string | null;
  pieces: number;
  last_day: string;
  /** The last text that was stored with such a piece. */
  example: string | null;
}

interface PiecesRow {
  day: string;
  reason: string;
  pieces: number;
  example: string | null;
}

/** Returns what was replaced in a site's events from one UTC day to another, by kind, the most frequent first. */
export async function scrubbedPieces(siteId: number, from: string, to: string): Promise<ScrubbedOfKind[]> {
  const { rows } = await reports().query<PiecesRow>(sql`
    SELECT day::text, reason, events::float8 AS pieces, example FROM facts.intake
    WHERE site_id = ${siteId} AND outcome = 'scrubbed' AND day >= ${from}::date AND day <= ${to}::date
    ORDER BY day`);
  const kinds = (Object.keys(SCRUBBED) as ScrubbedKind[]).map((kind) =>
    ofKind(
      kind,
      rows.filter(({ reason }) => reason.split(":", 1)[0] === kind),
    ),
  );
  return kinds.filter(({ pieces }) => pieces > 0).sort((one, other) => other.pieces - one.pieces);
}

function ofKind(kind: ScrubbedKind, rows: readonly PiecesRow[]): ScrubbedOfKind {
  const days = new Map<string, number>();
  const places = new Map<string, ScrubbedAt>();
  for (const { day, reason, pieces, example } of rows) {
    days.set(day, (days.get(day) ?? 0) + pieces);
    const [, place = "", ...name] = reason.split(":");
    const before = places.get(reason);
    places.set(reason, {
      place: place in SCRUBBED_PLACES ? (place as ScrubbedPlace) : null,
      name: name.join(":") || null,
      pieces: (before?.pieces ?? 0) + pieces,
      last_day: day,
      example: example ?? before?.example ?? null,
    });
  }
  return {
    kind,
    pieces: [...days.values()].reduce((sum, pieces) => sum + pieces, 0),
    days: [...days].map(([day, pieces]) => ({ day, pieces })),
    places: [...places.values()].sort((one, other) => other.pieces - one.pieces),
  };
}
