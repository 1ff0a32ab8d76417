import { readFileSync } from "node:fs";
import { isIPv4 } from "node:net";
import { list } from "isbot";
import { expect, test } from "vitest";
import { readAgent } from "@/lib/ingest/enrich/agent";
import { classifyEvent, EDITION, PACKAGES, VERSION } from "@/lib/ingest/enrich/classify";
import aiAgents from "@/lib/ingest/enrich/data/ai-agents.json";
import { CRAWLER_RANGES, dataCentreOf, HOSTING_NETWORKS, isOperatorAddress } from "@/lib/ingest/enrich/lists";
import { NOT_IN_APPS, NOT_IN_BROWSERS } from "@/lib/ingest/enrich/robots";
import { REASONS } from "@/lib/ingest/event/verdict";
import { rowsOf } from "@/lib/testing/rows";
import { CHROME, makeSite, send, type TestSite } from "@/lib/testing/world";

const verdictsOf = (site: TestSite) =>
  rowsOf<Record<string, unknown>[]>`
    SELECT visit.traffic AS class, verdict.traffic, reason, bot, operator, purpose, verified, version
    FROM facts.visit AS visit
    LEFT JOIN facts.verdict AS verdict ON verdict.site_id = visit.site_id AND verdict.id = visit.verdict
    WHERE visit.site_id = ${site.id} ORDER BY started`;

const classify = (userAgent: string, from = "") => classifyEvent({ byAgent: readAgent(userAgent).verdict, from });

const GPTBOT = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)";

test("ten thousand real browsers, including ten-year-old phones, are all human", () => {
  const real: { userAgent: string }[] = JSON.parse(
    readFileSync("node_modules/user-agents/dist/user-agents.json", "utf8"),
  );
  expect(real.length).toBeGreaterThan(5_000);
  expect(real.map(({ userAgent }) => userAgent).filter((userAgent) => classify(userAgent) !== null)).toEqual([]);
});

test.each([
  [GPTBOT, "ai", "GPTBot", "OpenAI", "training"],
  [
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot",
    "ai",
    "ChatGPT-User",
    "OpenAI",
    "assistant",
  ],
  [
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; OAI-SearchBot/1.0; +https://openai.com/searchbot)",
    "ai",
    "OAI-SearchBot",
    "OpenAI",
    "search",
  ],
  [
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
    "ai",
    "ClaudeBot",
    "Anthropic",
    "training",
  ],
  [
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)",
    "ai",
    "Claude-User",
    "Anthropic",
    "assistant",
  ],
  [
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)",
    "ai",
    "Perplexity-User",
    "Perplexity",
    "assistant",
  ],
  [
    "meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)",
    "ai",
    "Meta-ExternalAgent",
    "Meta",
    "training",
  ],
  ["CCBot/2.0 (https://commoncrawl.org/faq/)", "ai", "CCBot", "Common Crawl", "training"],
  [
    "Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)",
    "ai",
    "Bytespider",
    "ByteDance",
    "training",
  ],
  [
    "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "bot",
    "Googlebot",
    "Google",
    "search",
  ],
  [
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0 Safari/537.36",
    "bot",
    "bingbot",
    "Microsoft",
    "search",
  ],
])("%s is recognised by name", (userAgent, traffic, bot, operator, purpose) => {
  expect(classify(userAgent)).toMatchObject({ traffic, bot, operator, purpose });
});

test("every name of the bundled AI list is classed as AI, with their operator, in every form that agents use", () => {
  const forms = (token: string) => [
    `Mozilla/5.0 (compatible; ${token}/1.0; +https://example.com/bot)`,
    `Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ${token}/1.0) Chrome/142.0.0.0 Safari/537.36`,
    `${token}/1.0`,
    token,
  ];
  for (const { token, operator } of aiAgents.entries) {
    for (const form of forms(token)) {
      const found = classify(form);
      expect([form, found?.traffic]).toEqual([form, "ai"]);
      if (operator !== "") expect([form, found?.operator]).not.toEqual([form, ""]);
    }
  }
});

const WEBVIEW = (model: string, apps = "") =>
  `Mozilla/5.0 (Linux; Android 14; ${model} Build/UP1A.231005.007; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/142.0.0.0 Mobile Safari/537.36 ${apps}`;

test.each([
  ["a phone named Cubot", WEBVIEW("CUBOT KINGKONG")],
  ["a phone with a bot in its name", WEBVIEW("TM bot 77")],
  ["a phone named Spider", WEBVIEW("Spider 12")],
  ["a phone named Discovery", WEBVIEW("DISCOVERY V9")],
  ["an old phone without brackets of its own", "Dalvik/2.1.0 (Linux; U; Android 7.0; Discovery Max Build/NRD90M)"],
  ["Google TV", WEBVIEW("Example Google TV 4K")],
  ["Google Lens", WEBVIEW("Pixel 9", "GoogleLens/1.17.1")],
  ["an app of news", WEBVIEW("SM-S928B", "NewsArticle/9.9.1 JsSdk/2.0")],
  ["WeChat's mini programs", WEBVIEW("PGT-AN10", "MicroMessenger/8.0.50 Process/tools(mp) WeChat/arm64")],
  ["Sogou's browser", WEBVIEW("V2254A", "SogouMSE,SogouMobileBrowser/5.29.11")],
  ["Alipay", WEBVIEW("OPD2203", "AlipayClient/10.6.0 ws:392|0|2.75")],
  ["a downloader", WEBVIEW("SM-A155F", "VideoDownloader/2.1")],
  [
    "a TV that counts its form of HTML",
    "Mozilla/5.0 (Linux armv7l; CE-HTML/1.0; U; de) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/108.0.0.0 Safari/537.36 NETTV/9.0.1 Tbrowser/3.0",
  ],
  [
    "a TV whose Opera has an old number",
    "Mozilla/5.0 (Linux armv7l) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/108.0.5359.128 Safari/537.36 OPR/46.0.2207.0 OMI/4.23.2.96.Catcher2.1 Model/Example-MB211",
  ],
  [
    "the compatibility view of Internet Explorer 11",
    "Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; WOW64; Trident/7.0; .NET4.0C)",
  ],
])("%s is a person's browser", (_, userAgent) => {
  expect(classify(userAgent)).toBeNull();
});

test.each([
  ["jsdom", "Mozilla/5.0 (linux) AppleWebKit/537.36 (KHTML, like Gecko) jsdom/26.1.0"],
  ["SlimerJS", "Mozilla/5.0 (X11; Linux x86_64; rv:60.0) Gecko/20100101 Firefox/60.0 SlimerJS/1.0.0"],
  ["Playwright", `${CHROME} Playwright/1.50`],
  [
    "HtmlUnit",
    "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 HtmlUnit/4.7",
  ],
])("%s is a headless browser", (_, userAgent) => {
  expect(classify(userAgent)?.reason).toBe("headless");
});

test.each([
  [
    "a crawler in the form of a phone",
    WEBVIEW("Nexus 5X").replace("wv", "compatible; ExampleBot/1.0; +https://example.com/bot"),
  ],
  [
    "Google's preview of pages",
    "Mozilla/5.0 (Linux; Android 11; Pixel 5; Storebot-Google/1.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
  ],
  [
    "calls of Google in the form of a phone",
    "Mozilla/5.0 (Linux; Android 8.0; Pixel 2 Build/OPD3; DuplexWeb-Google/1.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
  ],
  [
    "a phone of a service that tests pages",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1 ExampleCrawler/3.1",
  ],
])("%s is a bot", (_, userAgent) => {
  expect(classify(userAgent)).toMatchObject({ traffic: "bot" });
});

test("the stored name of a robot on a prefix of a list has no characters that could identify its sender", () => {
  expect(classify("amazon-kendra-customer-id-123456789012")).toMatchObject({
    traffic: "ai",
    bot: "amazon-kendra-customer",
  });
  expect(classify("Kimi-Fetcher-7f3a9c/1.0")).toMatchObject({ operator: "Moonshot AI", bot: "Kimi-Fetcher" });
});

test("apps of assistants in which people open pages are browsers, and what reads pages for them is an agent", () => {
  const app = (product: string) => CHROME.replace("Chrome/142.0.0.0", `${product} Chrome/142.0.0.0 Electron/39.1.0`);
  const inApp = (product: string) =>
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 ${product}`;
  for (const product of ["ChatGPT/1.2026.012", "Claude/1.0.44", "Grok/1.3", "Kimi/2.1.0", "Cursor/2.1.5"]) {
    expect(classify(app(product)), product).toBeNull();
  }
  for (const product of ["ChatGPT/1.2026.012", "ChatGPTAtlas/1.4", "Grok/1.3", "Perplexity/2.9"]) {
    expect(classify(inApp(product)), product).toBeNull();
  }
  for (const agent of ["ChatGPT-User/1.0", "ChatGPT-Browser/1.0", "Agent-NovaAct/0.9", "Claude-User/1.0"]) {
    expect(classify(`${CHROME} ${agent}`)?.traffic, agent).toBe("ai");
  }
});

test("a robot is named by itself, not by what its user agent begins with or by the address in it", () => {
  const named = (userAgent: string) => classify(userAgent)?.bot;
  expect(named("Mozilla/5.0 (compatible; ExampleFinder/1.0; +https://example.com/robot)")).toBe("ExampleFinder");
  expect(named(`${CHROME} Prefetcher (+https://github.com/example/prefetcher)`)).toBe("Prefetcher");
  expect(named("fetchy (https://github.com/example/fetchy)")).toBe("fetchy");
  expect(named("Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)")).toBe("Slackbot-LinkExpanding");
  expect(named("Mozilla/5.0")).toBe("Mozilla");
});

test("programs that render pages without a person are headless", () => {
  const without = (product: string) =>
    `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/538.1 (KHTML, like Gecko) ${product}`;
  for (const product of ["HappyDOM/18.0.1", "wkhtmltopdf Safari/538.1", "wkhtmltoimage Safari/538.1"]) {
    expect(classify(without(product))?.reason, product).toBe("headless");
  }
});

test("an everyday word names an agent only where its product stands", () => {
  expect(classify("Operator/1.0")).toMatchObject({ traffic: "ai", operator: "OpenAI" });
  expect(classify(CHROME.replace("Chrome/142.0.0.0", "Code/1.99.0 Chrome/142.0.0.0 Electron/34.2.0"))).toBeNull();
  expect(classify("Mozilla/5.0 (compatible; Example web spider/4.0)")).toMatchObject({ traffic: "bot" });
  expect(classify("Mozilla/5.0 (compatible; Exabot/3.0; +http://www.exabot.com/go/robot)")).toMatchObject({
    traffic: "bot",
    operator: "Exalead",
  });
});

test("words that complete browsers may have are words of isbot", () => {
  expect([...NOT_IN_BROWSERS, ...NOT_IN_APPS].filter((pattern) => !list.includes(pattern))).toEqual([]);
});

test("libraries, command-line tools and an empty user agent are robots", () => {
  expect(classify("curl/8.5.0")).toMatchObject({ reason: "robot_words", traffic: "bot", bot: "curl", operator: "" });
  const ahrefs = "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)";
  expect(classify(ahrefs)).toMatchObject({ reason: "crawler", traffic: "bot", bot: "AhrefsBot", operator: "Ahrefs" });
  expect(classify("python-requests/2.32.3")).toMatchObject({ reason: "robot_words", traffic: "bot" });
  expect(classify("")).toMatchObject({ reason: "no_user_agent", traffic: "bot" });
});

test("headless browsers and eight-year-old desktop browsers are suspicious; a named robot that is headless is that robot", () => {
  const headless = CHROME.replace("Chrome", "HeadlessChrome");
  expect(classify(headless)).toMatchObject({ reason: "headless", traffic: "suspicious", bot: "HeadlessChrome" });
  expect(classify(`${headless} (compatible; GPTBot/1.2)`)).toMatchObject({ reason: "ai_agent", bot: "GPTBot" });
  expect(classify(CHROME.replace("142.0", "68.0"))).toMatchObject({ reason: "old_browser", traffic: "suspicious" });
  expect(classify(CHROME.replace("142.0", "69.0"))).toBeNull();
});

test("headers of a page's request must match its user agent, and those of ordinary browsers do", async () => {
  const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0";
  const brands = (version: number) => `"Chromium";v="${version}", "Google Chrome";v="${version}", "Not_A Brand";v="99"`;
  const language = { "accept-language": "de-DE,de;q=0.9" };
  const cases: [string, string, Record<string, string>, string | null][] = [
    ["an ordinary Chrome", CHROME, { ...language, "sec-ch-ua": brands(142) }, null],
    ["Chrome without https", CHROME, language, null],
    ["an ordinary Firefox", firefox, language, null],
    ["a Firefox without a language", firefox, {}, null],
    ["a Chrome without a language", CHROME, {}, "no_language"],
    ["hints of another version", CHROME, { ...language, "sec-ch-ua": brands(120) }, "hints_contradict"],
    ["hints of Chromium from a Firefox", firefox, { ...language, "sec-ch-ua": brands(142) }, "hints_contradict"],
    ["hints of a headless one", CHROME, { ...language, "sec-ch-ua": '"HeadlessChrome";v="142"' }, "headless"],
  ];
  for (const [name, userAgent, headers, reason] of cases) {
    const site = await makeSite();
    await send(site, "/", { userAgent, headers: { origin: `https://${site.host}`, ...headers } });
    expect([name, (await verdictsOf(site))[0]?.reason]).toEqual([name, reason]);
  }
});

test("headers and address of a backend that forwards a user agent are not taken for the visitor's", async () => {
  const site = await makeSite();
  await send(site, "/");
  await send(site, "/", { userAgent: GPTBOT });
  expect(await verdictsOf(site)).toMatchObject([{ class: 1, reason: null }, { verified: "claimed" }]);
});

test("300 pages within a minute are human; the next one and its visit are suspicious", async () => {
  const site = await makeSite();
  const at = "2025-03-04T12:00:00Z";
  const headers = { origin: `https://${site.host}`, "accept-language": "en" };
  await Promise.all(Array.from({ length: 300 }, () => send(site, "/", { at, headers })));
  expect(await verdictsOf(site)).toMatchObject([{ class: 1, reason: null }]);
  await send(site, "/", { at, headers });
  await send(site, { name: "Late" }, { at: "2025-03-04T12:05:00Z", headers });
  await send(site, "/", { at, headers, address: "203.0.113.8" });
  const [fast, other] = await verdictsOf(site);
  expect([fast, other].map((visit) => visit?.reason).sort()).toEqual([null, "too_many_pages"].sort());
  const counts =
    await rowsOf`SELECT traffic, count(*)::int AS hits FROM facts.event WHERE site_id = ${site.id} GROUP BY traffic ORDER BY traffic`;
  expect(counts).toEqual([
    { traffic: 1, hits: 301 },
    { traffic: 5, hits: 2 },
  ]);
});

test.each([
  [GPTBOT, "52.230.152.17", "verified"],
  [GPTBOT, "::ffff:52.230.152.17", "verified"],
  [GPTBOT, "52.230.153.0", "spoofed"],
  [GPTBOT, "203.0.113.7", "spoofed"],
  [GPTBOT, null, "claimed"],
  ["Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "66.249.66.1", "verified"],
  ["Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "2001:4860:4801:10::1", "verified"],
  ["Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "2001:4860:4802::1", "spoofed"],
  ["Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)", "203.0.113.7", "claimed"],
  ["curl/8.5.0", "203.0.113.7", ""],
] as const)("%s from %s is %s", (userAgent, address, expected) => {
  expect(classifyEvent({ byAgent: readAgent(userAgent).verdict, from: "", address })?.verified).toBe(expected);
});

test("every ranges file has a source and date, and all of its ranges are found", () => {
  for (const { source, date, agents, ranges } of CRAWLER_RANGES) {
    expect(source).toMatch(/^https:/);
    expect(date).toMatch(/^20\d\d-\d\d-\d\d$/);
    for (const agent of agents) {
      for (const range of ranges) {
        const [first = ""] = range.split("/");
        expect([agent, range, isOperatorAddress(agent, first)]).toEqual([agent, range, true]);
      }
    }
  }
});

test.each([
  ["78.46.10.10", "Hetzner"],
  ["2a01:4f8:c0c::1", "Hetzner"],
  ["51.254.1.1", "OVH"],
  ["161.97.70.1", "Contabo"],
  ["47.88.1.1", "Alibaba Cloud"],
  ["43.173.1.1", "Tencent Cloud"],
  ["::ffff:167.99.1.1", "DigitalOcean"],
])("a browser at %s is suspicious, with the network %s as operator", (address, operator) => {
  const evidence = { byAgent: null, from: "", address, isBrowser: true };
  expect(classifyEvent(evidence)).toMatchObject({ traffic: "suspicious", reason: "data_centre", operator });
  expect(classifyEvent({ ...evidence, isBrowser: false })).toBeNull();
  expect(classifyEvent({ ...evidence, tooMany: true })).toMatchObject({ reason: "too_many_pages", operator: "" });
});

test.each([
  ["Google's own", "8.8.8.8"],
  ["Google Cloud", "34.64.1.1"],
  ["Amazon", "54.240.1.1"],
  ["Azure", "20.50.1.1"],
  ["Cloudflare WARP", "104.28.200.1"],
  ["Cloudflare", "2a09:bac1::1"],
  ["Private Relay at Akamai", "172.224.226.1"],
  ["Private Relay at Fastly", "146.75.136.1"],
  ["Mullvad at M247", "146.70.116.130"],
  ["Mullvad at Datacamp", "138.199.6.194"],
  ["Mullvad beside Contabo", "173.249.252.2"],
  ["nobody", "203.0.113.7"],
])("a browser behind a gateway or VPN is human: %s (%s)", (_, address) => {
  expect(classifyEvent({ byAgent: null, from: "", address, isBrowser: true })).toBeNull();
});

test("only the visitor's own address is classified: that of a page's request, or one that a server signs", async () => {
  const site = await makeSite();
  const at = (minute: number) => `2025-03-04T12:0${minute}:00Z`;
  const address = "78.46.10.10";
  const headers = { origin: `https://${site.host}`, "accept-language": "en" };
  await send(site, "/", { at: at(0), address, headers });
  await send(site, "/", { at: at(1), address: "78.46.10.11" });
  expect(await verdictsOf(site)).toMatchObject([
    { class: 5, reason: "data_centre", operator: "Hetzner", version: VERSION },
    { class: 1, reason: null },
  ]);
});

test("every hosting network is named to people, contains no narrow range, and is found by each range", () => {
  for (const { network, ranges } of HOSTING_NETWORKS) {
    expect(REASONS.data_centre.about).toContain(network);
    for (const range of ranges) {
      const [first = "", bits] = range.split("/");
      expect([range, Number(bits) <= (isIPv4(first) ? 18 : 48)]).toEqual([range, true]);
      expect([range, dataCentreOf(first)]).toEqual([range, network]);
    }
  }
});

test("referrer spam is matched by domain and subdomains, not by similar names", () => {
  expect(classify(CHROME, "semalt.com/project")).toMatchObject({
    reason: "spam_referrer",
    traffic: "spam",
    bot: "semalt.com",
  });
  expect(classify(CHROME, "news.grets.store")).toMatchObject({ traffic: "spam", bot: "grets.store" });
  expect(classify(CHROME, "notsemalt.com")).toBeNull();
  expect(classify(GPTBOT, "semalt.com")).toMatchObject({ traffic: "ai" });
});

test("each visit stores the reason for its class and the list version; human visits have no reason", async () => {
  const site = await makeSite();
  const at = (minute: number) => `2025-03-04T12:0${minute}:00Z`;
  await send(site, "/", { at: at(0), userAgent: GPTBOT, headers: { origin: `https://${site.host}` } });
  await send(site, "/", { at: at(1) });
  const spam = { name: "pageview", url: `https://${site.host}/`, referrer: "https://semalt.com/" };
  await send(site, spam, { at: at(2), address: "203.0.113.8" });
  expect(await verdictsOf(site)).toMatchObject([
    {
      class: 3,
      traffic: "ai",
      reason: "ai_agent",
      bot: "GPTBot",
      operator: "OpenAI",
      purpose: "training",
      verified: "spoofed",
      version: VERSION,
    },
    { class: 1, reason: null },
    { class: 4, traffic: "spam", reason: "spam_referrer", bot: "semalt.com", operator: "", verified: "" },
  ]);
});

test("the version contains the installed package versions", () => {
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(dependencies).toMatchObject(PACKAGES);
});

test("every reason has a sentence", () => {
  for (const { about } of Object.values(REASONS)) expect(about).toMatch(/^[A-Z].*\.$/);
});

test("changing a list requires raising the edition", () => {
  expect(VERSION).toBe(
    "2026-11-27: isbot 5.2.3, crawler-user-agents 1.60.0, ai-agents 2026-08-22, ai-agents-documented 2026-11-27, crawlers-documented 2026-11-27, crawler-addresses 2026-08-21, data-centres 2026-02-08, referrer-spam 2026-08-20, referrer-spam-more 2026-11-20, signature-agents 2026-11-27, rules 2026-11-27",
  );
  expect(EDITION).toMatch(/^\d{4}-\d\d-\d\d(\.\d)?$/);
  const dates = VERSION.match(/\d{4}-\d\d-\d\d/g) ?? [];
  expect(dates.every((date) => date <= EDITION)).toBe(true);
});
