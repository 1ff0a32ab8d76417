import { devices } from "@playwright/test";
import { postEvent } from "./events";
import type { OwnedSite } from "./fixtures";
import type { Server } from "./server";

const SAFARI = devices["iPhone 14"].userAgent;
const GPTBOT = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)";

/**
 * Sends two visits that most reports have rows of: Ann's, from a campaign, with a search and a sign-up; one bounce from a
 * search engine. A robot reads one page.
 *
 * @param plan what Ann signs up for
 * @returns functions that send further events: of Ann, and of anybody
 */
export async function sendVisits(server: Server, { host }: Pick<OwnedSite, "host">, plan: string) {
  const send = (event: object, userAgent?: string) =>
    postEvent(server, { host }, { url: `https://${host}/pricing`, ...event }, userAgent);
  const ann = (event: object) => send({ user_id: "ann", ...event });
  await ann({ name: "pageview", url: `https://${host}/?utm_source=news&utm_medium=email&utm_campaign=spring` });
  await ann({ name: "pageview" });
  await ann({ name: "exposure", exposure: { experiment: "hero", variant: "bold" } });
  await ann({ name: "vitals", vitals: { view: 1, lcp: 1200 } });
  await ann({ name: "Search", props: { term: "Green tea", results: 0 } });
  await ann({ name: "Signup", props: { plan } });
  await send({ name: "pageview", referrer: "https://www.google.com/" }, SAFARI);
  await send({ name: "pageview" }, GPTBOT);
  return { send, ann };
}
