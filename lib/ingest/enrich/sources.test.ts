import { expect, test } from "vitest";
import assistants from "@/lib/ingest/enrich/data/ai-assistants.json";
import engines from "@/lib/ingest/enrich/data/search-engines.json";
import networks from "@/lib/ingest/enrich/data/social-networks.json";
import own from "@/lib/ingest/enrich/data/traffic-sources.json";
import { knownApp, knownSource, namedSource } from "@/lib/ingest/enrich/sources";

const kindOf = (host: string) => knownSource(host)?.kind;

test.each([
  [
    "search",
    "google.com google.de google.co.jp google.com.br google.cat images.google.fr news.google.com lens.google.com",
  ],
  [
    "search",
    "bing.com cn.bing.com de.bing.com search.yahoo.co.jp uk.search.yahoo.com yandex.kz ya.ru m.baidu.com so.com",
  ],
  ["search", "search.brave.com coccoc.com search.daum.net go.mail.ru metager.org swisscows.com petalsearch.com"],
  [
    "social",
    "l.facebook.com lm.facebook.com old.reddit.com discord.gg ok.ru mp.weixin.qq.com fosstodon.org pinterest.co.uk",
  ],
  ["social", "stackoverflow.com flickr.com someone.medium.com t.co x.com blog.naver.com tieba.baidu.com m.me"],
  ["video", "m.youtube.com youtu.be netflix.com rumble.com player.vimeo.com www.twitch.tv b23.tv"],
  [
    "shopping",
    "amazon.de amazon.co.uk www.amazon.com.mx ebay.fr temu.com shopee.co.id articulo.mercadolibre.com.ar allegro.pl",
  ],
  ["email", "mail.google.com mail.yahoo.com outlook.office.com e.mail.ru deref-gmx.net deref-web.de mail.qq.com"],
  [
    "email",
    "mail.yandex.ru email.seznam.cz mail.naver.com app.fastmail.com mail.proton.me eur01.safelinks.protection.outlook.com",
  ],
  ["ai", "gemini.google.com bard.google.com notebooklm.google.com aistudio.google.com copilot.cloud.microsoft duck.ai"],
  ["ai", "m365.cloud.microsoft chat.qwen.ai kimi.com doubao.com yuanbao.tencent.com yiyan.baidu.com alice.yandex.ru"],
])("%s hosts are recognised: %s", (kind, hosts) => {
  for (const host of hosts.split(" ")) expect([host, kindOf(host)]).toEqual([host, kind]);
});

test.each([
  "accounts.google.com docs.google.com drive.google.com calendar.google.com cloud.google.com support.google.com",
  "translate.google.com meet.google.com analytics.google.com googleusercontent.com google.dev blog.google",
  "aws.amazon.com sellercentral.amazon.de developer.amazon.com music.amazon.com amazon.jobs amazonaws.com",
  "finance.yahoo.com login.yahoo.com yahoo.net cloud.yandex.ru disk.yandex.com passport.yandex.ru yandex.cloud",
  "pan.baidu.com cloud.mail.ru login.live.com account.microsoft.com office.com docs.github.com brave.com",
  "help.duckduckgo.com signin.ebay.com cnn.com someone.blogspot.com someone.wordpress.com",
])("other hosts of the same owners are no source: %s", (hosts) => {
  for (const host of hosts.split(" ")) expect([host, kindOf(host)]).toEqual([host, undefined]);
});

test("a host that only looks like a source is none: every label must match", () => {
  const hosts = [...own.entries, ...engines.entries, ...networks.entries, ...assistants.entries]
    .flatMap((entry) => [
      ...("hosts" in entry ? (entry.hosts ?? []) : []),
      ...("exact" in entry ? (entry.exact ?? []) : []),
    ])
    .map((host) => host.replaceAll("{}", "de"));
  for (const host of new Set(hosts)) {
    const likes = [`${host}.example.org`, `${host}.evil`, `${host.replaceAll(".", "-")}.com`];
    // Below a source's own domain anybody else has nothing.
    if (host.split(".").length === 2) likes.push(`look-alike-${host}`);
    for (const like of likes) expect([like, knownSource(like)]).toEqual([like, undefined]);
  }
  for (const host of [
    "notgoogle.com",
    "xgoogle.com",
    "wwwgoogle.com",
    "gogole.com",
    "google.evil.com",
    "fox.com",
    "com",
    "",
  ]) {
    expect([host, knownSource(host)]).toEqual([host, undefined]);
  }
});

test("every host of the public lists is known, except those that our own list names otherwise", () => {
  const wrong = new Set(own.entries.flatMap(({ kind, exact = [] }) => (kind === "none" ? exact : [])));
  const lists = [engines, networks, assistants].flatMap(({ entries }) => entries.flatMap(({ hosts }) => hosts));
  const unknown = lists.map((host) => host.replaceAll("{}", "de")).filter((host) => !knownSource(host));
  expect(unknown.filter((host) => !wrong.has(host) && !wrong.has(host.replace(/\.de$/, ".{}")))).toEqual([]);
});

test("our own list names each host, app and alias once", () => {
  for (const key of ["hosts", "exact", "apps", "names"] as const) {
    const all = own.entries.flatMap((entry) => entry[key] ?? []);
    expect(all.filter((one, index) => all.indexOf(one) !== index)).toEqual([]);
  }
  expect(own.entries.flatMap(({ hosts = [] }) => hosts).filter((host) => host.split(".").length > 5)).toEqual([]);
});

test.each([
  ["Facebook", "fb FB Facebook facebook.com m.facebook.com https://www.facebook.com/ facebook-ads meta"],
  ["Instagram", "ig insta instagram l.instagram.com"],
  ["YouTube", "yt youtube YouTube youtu.be"],
  ["LinkedIn", "li linkedin lnkd.in"],
  ["X", "x twitter twitter.com t.co x.com tw"],
  ["Google", "google google.com www.google.de adwords google_ads google-ads com.google.android.googlequicksearchbox"],
  ["ChatGPT", "chatgpt.com ChatGPT openai chat.openai.com"],
  ["Hacker News", "hn hackernews hacker-news news.ycombinator.com"],
])("the source of a campaign is %s by any of: %s", (name, typed) => {
  for (const one of typed.split(" ")) {
    expect([one, namedSource(one)?.name]).toEqual([one, name]);
    expect([one, namedSource(`\t${one.toUpperCase()} `)?.name]).toEqual([one, name]);
  }
});

test("names that are no source return none, also those of JavaScript objects", () => {
  for (const typed of [
    "",
    " ",
    "partner",
    "newsletter",
    "constructor",
    "__proto__",
    "fbx",
    "notgoogle",
    "google.evil",
  ]) {
    expect([typed, namedSource(typed)]).toEqual([typed, undefined]);
    expect(knownApp(typed)).toBeUndefined();
  }
});

test("a host of any length and number of labels is answered without a search through all its parts", () => {
  const host = `${"a.".repeat(20_000)}facebook.com`;
  const started = performance.now();
  for (let index = 0; index < 20; index++) expect(knownSource(host)?.name).toBe("Facebook");
  expect(performance.now() - started).toBeLessThan(10_000);
});
