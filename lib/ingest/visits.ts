import type { TrafficClass } from "@/lib/contract/vocabulary";
import { randomFew } from "@/lib/ingest/random";
import type { WritableHit } from "@/lib/ingest/writable-hit";

/** Events of one visitor with silences of at most this long are one visit. */
export const SILENCE_MS = 30 * 60_000;
/** No visit is looked for further back: by then its visitor's salt is gone. */
export const LONGEST_VISIT_MS = 48 * 3600_000;
const MOST_INTERACTIONS = 100;
/** The largest 32-bit integer. */
const LARGEST = 2 ** 31 - 1;

/** Ids of a hit's words in the dictionaries; 0 for none. */
export interface WordIds {
  page: number;
  referrer: number;
  campaign: number;
  place: number;
  agent: number;
  name: number;
  verdict: number;
}

/** A visit as far as it is known, and what the hits of this batch add to it. Times are epoch milliseconds. */
export interface Visit extends Omit<WordIds, "page" | "name"> {
  siteId: number;
  visitId: string;
  visitorId: string;
  started: number;
  last: number;
  traffic: TrafficClass;
  added: { entry: number; exit: number; pageviews: number; events: number; engagementMs: number; interactions: number };
}

/** The running visits that a batch of hits may continue, by visitor. */
export class RunningVisits {
  private readonly byVisitor = new Map<string, Visit>();

  constructor(known: readonly Visit[]) {
    for (const visit of known) this.byVisitor.set(visit.visitorId, visit);
  }

  /**
   * The visit that a hit belongs to: the running one of whoever it may be, else a new one that begins with it and
   * takes its source, campaign, place and agent from it, or none where a server's event finds none. Null for engagement
   * and vitals that come after their visit is over.
   */
  take(hit: WritableHit, words: WordIds): { visit: Visit | null; isNew: boolean } | null {
    const at = hit.at.getTime();
    const running = hit.visitors
      .map((visitor) => this.byVisitor.get(visitor))
      .find((visit) => visit && runs(visit, at));
    if (!running && (hit.type === "engagement" || hit.type === "vitals")) return null;
    if (!running && !hit.beginsVisit) return { visit: null, isNew: false };
    const visit = running ?? this.begin(hit, words, at);
    extend(visit, hit, words, at);
    if (hit.traffic === "suspicious" && visit.traffic === "human") becomeSuspicious(visit, words);
    return { visit, isNew: visit !== running };
  }

  private begin(hit: WritableHit, words: WordIds, at: number): Visit {
    const visit: Visit = {
      siteId: hit.siteId,
      visitId: randomFew(8).readBigInt64BE().toString(),
      visitorId: hit.visitors[0] as string,
      started: at,
      last: at,
      referrer: words.referrer,
      campaign: words.campaign,
      place: words.place,
      agent: words.agent,
      verdict: words.verdict,
      traffic: hit.traffic,
      added: { entry: 0, exit: 0, pageviews: 0, events: 0, engagementMs: 0, interactions: 0 },
    };
    this.byVisitor.set(visit.visitorId, visit);
    return visit;
  }
}

/** Whether a moment continues a visit. Clocks of several servers differ a little, so it may lie before the last. */
const runs = (visit: Visit, at: number) => at - visit.last <= SILENCE_MS && visit.started - at <= SILENCE_MS;

/** A visit that began like a person's and then did what people do not: all that follows in it is suspicious too. */
function becomeSuspicious(visit: Visit, words: WordIds): void {
  visit.traffic = "suspicious";
  visit.verdict = words.verdict;
}

/** What each type adds is told with `EVENT_TYPES`. */
function extend(visit: Visit, hit: WritableHit, words: WordIds, at: number): void {
  visit.last = Math.max(visit.last, at);
  const { added } = visit;
  if (hit.type === "pageview" || hit.type === "screen") {
    added.pageviews++;
    added.entry ||= words.page;
    added.exit = words.page;
  } else if (hit.type === "engagement") {
    added.engagementMs = Math.min(LARGEST, added.engagementMs + (hit.engagementMs ?? 0));
  } else if (hit.type === "event" || hit.type === "commerce") {
    added.events++;
    added.interactions = Math.min(MOST_INTERACTIONS, added.interactions + 1);
  }
}
