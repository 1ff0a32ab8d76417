import { DICTIONARIES, type DictionaryName, intern, type Word } from "@/lib/ingest/dictionary";
import type { Hit } from "@/lib/ingest/hit";
import type { WordIds } from "@/lib/ingest/visits";
import { localDay } from "@/lib/time";

/** The dictionary ids of every hit's words. What several dictionaries do not know yet is asked for at once. */
export async function internAll(hits: readonly Hit[]): Promise<WordIds[]> {
  const ids = hits.map((): WordIds => ({ page: 0, referrer: 0, campaign: 0, place: 0, agent: 0, name: 0, verdict: 0 }));
  await Promise.all(DICTIONARIES.map((name) => internOne(name, hits, ids)));
  return ids;
}

async function internOne(name: DictionaryName, hits: readonly Hit[], ids: WordIds[]): Promise<void> {
  const having: WordIds[] = [];
  const words: Word[] = [];
  for (const [index, hit] of hits.entries()) {
    const values = VALUES[name](hit);
    if (!values) continue;
    having.push(ids[index] as WordIds);
    words.push(new HitWord(hit, values, name === "page"));
  }
  const found = await intern(name, words);
  for (const [position, known] of having.entries()) known[name] = found[position] as number;
}

/** Most words are known by their values: the rest is only asked for new ones. */
class HitWord implements Word {
  readonly siteId: number;
  constructor(
    private readonly hit: Hit,
    readonly values: readonly string[],
    private readonly hasTitle: boolean,
  ) {
    this.siteId = hit.site.id;
  }
  day(): string {
    return localDay(this.hit.at, this.hit.site.timezone).toString();
  }
  get extra(): readonly (string | null)[] {
    return this.hasTitle ? [this.hit.page?.title ?? null] : [];
  }
}

/** The words of a hit in each dictionary, in the order of its columns; null for none. */
const VALUES: Record<DictionaryName, (hit: Hit) => readonly string[] | null> = {
  page: ({ page }) => page && [page.hostname, page.path],
  referrer: ({ referrer }) => [referrer.source, referrer.channel, referrer.url, referrer.rule],
  campaign: ({ campaign: tagged }) =>
    tagged && [tagged.source, tagged.medium, tagged.campaign, tagged.term, tagged.content],
  place: ({ place }) => [place.country, place.region, place.city, place.language],
  agent: ({ agent }) => [
    agent.browser,
    agent.browser_version,
    agent.os,
    agent.os_version,
    agent.device,
    agent.screen,
    agent.bot,
  ],
  name: ({ name }) => (name === null ? null : [name]),
  verdict: ({ verdict: why }) =>
    why && [why.traffic, why.reason, why.bot, why.operator, why.purpose, why.verified, why.version],
};
