import { expect, test } from "vitest";
import { CHANNEL_RULES, channelRuleOf, DIRECT } from "@/lib/ingest/enrich/channels";
import categories from "@/lib/ingest/enrich/data/source-categories.json";
import { readCampaign, readClick, readReferrer } from "@/lib/ingest/enrich/referrer";
import { rowsOf } from "@/lib/testing/rows";
import { makeSite, send } from "@/lib/testing/world";

const same = (text: string) => text;

function referrerOf(query: string, referrer: string | null) {
  const searchParams = new URLSearchParams(query);
  return readReferrer(
    { referrer, campaign: readCampaign(searchParams, same), click: readClick(searchParams) },
    () => false,
    same,
  );
}

const tagged = (source: string, medium: string, campaign = "") =>
  `${new URLSearchParams({ utm_source: source, utm_medium: medium, utm_campaign: campaign })}`;

/**
 * Google's table of the default channel group (support.google.com/analytics/answer/9756891), in its order, each line by
 * its conditions; where two lines match, the upper one wins.
 */
test.each([
  ["Direct", "", null],
  ["Cross-network", tagged("google", "cpc", "2026 cross-network sale"), null],
  ["Paid Shopping", tagged("ebay", "cpc"), null],
  ["Paid Shopping", tagged("google", "ppc", "shop"), null],
  ["Paid Shopping", tagged("google", "retargeting", "summer shopping"), null],
  ["Paid Search", tagged("google", "cpc", "workshop"), null],
  ["Paid Search", tagged("bing", "paidsearch"), null],
  ["Paid Search", tagged("duckduckgo.com", "cpm"), null],
  ["Paid Social", tagged("facebook", "ppc"), null],
  ["Paid Social", tagged("linkedin", "paid-social"), null],
  ["Paid Video", tagged("youtube", "cpv-cpc"), null],
  ["Paid Video", tagged("vimeo.com", "paid"), null],
  ["Display", tagged("partner", "display"), null],
  ["Display", tagged("partner", "banner"), null],
  ["Display", tagged("google", "expandable"), null],
  ["Display", tagged("facebook", "interstitial"), null],
  ["Display", tagged("partner", "cpm"), null],
  ["Paid Other", tagged("partner", "cpc"), null],
  ["Paid Other", tagged("partner", "retargeting"), null],
  ["Paid Other", tagged("partner", "paid-anything"), null],
  ["Organic Shopping", tagged("etsy.com", "partner"), null],
  ["Organic Shopping", tagged("weekly", "post", "our shop"), null],
  ["Organic Shopping", "", "https://www.amazon.de/dp/1"],
  ["Organic Social", tagged("reddit", "post"), null],
  ["Organic Social", tagged("partner", "social network"), null],
  ["Organic Social", tagged("partner", "sm"), null],
  ["Organic Social", "", "https://www.linkedin.com/feed"],
  ["Organic Video", tagged("partner", "my-video-post"), null],
  ["Organic Video", "", "https://www.twitch.tv/x"],
  ["Organic Search", tagged("partner", "organic"), null],
  ["Organic Search", "", "https://www.bing.com/"],
  ["Referral", tagged("partner", "referral"), null],
  ["Referral", tagged("partner", "app"), null],
  ["Referral", tagged("partner", "link"), null],
  ["Referral", tagged("email", "link"), null],
  ["Referral", tagged("sms", "app"), null],
  ["Referral", "", "https://blog.example.org/"],
  ["Email", tagged("email", "blast"), null],
  ["Email", tagged("e-mail", ""), null],
  ["Email", tagged("partner", "e_mail"), null],
  ["Email", tagged("partner", "e mail"), null],
  ["Affiliates", tagged("partner", "affiliate"), null],
  ["Audio", tagged("podcast", "audio"), null],
  ["SMS", tagged("sms", "blast"), null],
  ["SMS", tagged("partner", "sms"), null],
  ["Mobile Push Notifications", tagged("partner", "web-push"), null],
  ["Mobile Push Notifications", tagged("partner", "mobile-app"), null],
  ["Mobile Push Notifications", tagged("partner", "in notification"), null],
  ["Mobile Push Notifications", tagged("firebase", "x"), null],
  ["Unassigned", tagged("partner", "whatever"), null],
])("as in Google Analytics, %s is the channel of ?%s from %j", (channel, query, referrer) => {
  expect(referrerOf(query, referrer).channel).toBe(channel);
});

test.each([
  ["chatgpt.com", "ChatGPT"],
  ["chat.openai.com", "ChatGPT"],
  ["claude.ai", "Claude"],
  ["www.perplexity.ai", "Perplexity"],
  ["gemini.google.com", "Gemini"],
  ["copilot.microsoft.com", "Copilot"],
  ["chat.mistral.ai", "Mistral"],
  ["chat.deepseek.com", "DeepSeek"],
  ["grok.com", "Grok"],
  ["www.meta.ai", "Meta AI"],
  ["you.com", "You.com"],
  ["poe.com", "Poe"],
])("a visit from %s has the source %s and the channel AI assistants", (host, source) => {
  const expected = { source, channel: "AI assistants", rule: "ai_assistants" };
  expect(referrerOf("", `https://${host}/`)).toMatchObject(expected);
  expect(referrerOf(`utm_source=${host}`, null)).toMatchObject(expected);
  expect(referrerOf(tagged(host, "referral"), null)).toMatchObject(expected);
});

/** Google counts these webmail hosts as search engines. */
const WEBMAIL = ["email.seznam.cz", "mail.rambler.ru", "mail.yandex.ru"];
const PAID = { search: "Paid Search", social: "Paid Social", video: "Paid Video", shopping: "Paid Shopping" };
const ORGANIC = {
  search: "Organic Search",
  social: "Organic Social",
  video: "Organic Video",
  shopping: "Organic Shopping",
};

test("every source that Google Analytics lists has its channels, except that webmail is Email", () => {
  for (const { source, kind } of categories.entries) {
    const isWebmail = WEBMAIL.includes(source);
    const organic = isWebmail ? "Email" : ORGANIC[kind as keyof typeof ORGANIC];
    const paid = isWebmail ? "Paid Other" : PAID[kind as keyof typeof PAID];
    for (const typed of [source, source.toUpperCase(), ` ${source} `]) {
      expect([typed, referrerOf(tagged(typed, ""), null).channel]).toEqual([typed, organic]);
      expect([typed, referrerOf(tagged(typed, "cpc"), null).channel]).toEqual([typed, paid]);
    }
    if (source.includes(".")) {
      expect([source, referrerOf("", `https://${source}/`).channel]).toEqual([source, organic]);
      expect([source, referrerOf("", `https://www.${source}/`).channel]).toEqual([source, organic]);
    }
  }
});

test("the rule that determined a channel is stored with it, and its description is found by id", async () => {
  const site = await makeSite();
  await send(site, `/?${tagged("google", "cpc")}`);
  await send(site, "/?gclid=1", { address: "203.0.113.8" });
  await send(site, "/", { address: "203.0.113.9" });
  const stored = await rowsOf<{ channel: string; rule: string }[]>`
    SELECT channel, rule FROM facts.referrer WHERE site_id = ${site.id} ORDER BY rule`;
  expect(stored).toEqual([
    { channel: "Paid Search", rule: "click_search" },
    { channel: "Direct", rule: "direct" },
    { channel: "Paid Search", rule: "paid_search" },
  ]);
  for (const { channel, rule } of stored) {
    expect(channelRuleOf(rule)).toMatchObject({ channel, when: expect.stringMatching(/\w/) });
  }
});

test("every rule is found by its id, and unknown ids return null", () => {
  for (const rule of [...CHANNEL_RULES, DIRECT]) expect(channelRuleOf(rule.id)).toBe(rule);
  for (const id of ["", "(other)", "constructor"]) expect(channelRuleOf(id)).toBeNull();
});
