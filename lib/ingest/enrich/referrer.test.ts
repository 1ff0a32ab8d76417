import { expect, test } from "vitest";
import { languageTag, readAgent, screenClass } from "@/lib/ingest/enrich/agent";
import { CHANNEL_RULES } from "@/lib/ingest/enrich/channels";
import { readCampaign, readClick, readReferrer } from "@/lib/ingest/enrich/referrer";
import { clip, plainText } from "@/lib/platform/text";
import { CHROME } from "@/lib/testing/world";

const own = (host: string) => host === "shop.example" || host.endsWith(".shop.example");
const same = (text: string) => text;
const source = (referrer: string | null, query = "") => {
  const searchParams = new URLSearchParams(query);
  return readReferrer(
    { referrer, campaign: readCampaign(searchParams, same), click: readClick(searchParams) },
    own,
    same,
  );
};

test.each([
  [null, "", "", "Direct"],
  ["https://www.google.de/search?q=x", "", "Google", "Organic Search"],
  ["https://www.google.co.uk/", "", "Google", "Organic Search"],
  ["https://duckduckgo.com/", "", "DuckDuckGo", "Organic Search"],
  ["https://mail.google.com/mail/u/0", "", "Gmail", "Email"],
  ["https://gemini.google.com/app", "", "Gemini", "AI assistants"],
  ["https://chatgpt.com/", "", "ChatGPT", "AI assistants"],
  ["https://l.facebook.com/l.php?u=x", "", "Facebook", "Organic Social"],
  ["https://t.co/abc", "", "X", "Organic Social"],
  ["https://news.ycombinator.com/item?id=1", "", "Hacker News", "Organic Social"],
  ["https://m.youtube.com/watch", "", "YouTube", "Organic Video"],
  ["https://blog.example.org/a/b", "", "blog.example.org", "Referral"],
  ["https://notgoogle.com/", "", "notgoogle.com", "Referral"],
  ["https://shop.example/cart", "", "", "Direct"],
  ["https://pay.shop.example/", "", "", "Direct"],
  ["about:blank", "", "", "Direct"],
  ["nonsense", "", "", "Direct"],
  ["android-app://com.reddit.frontpage/", "", "Reddit", "Organic Social"],
  ["android-app://com.google.android.googlequicksearchbox/https/www.google.com", "", "Google", "Organic Search"],
  ["android-app://com.google.android.gm/", "", "Gmail", "Email"],
  ["android-app://com.Slack/", "", "Slack", "Organic Social"],
  ["ios-app://544007664/youtube", "", "YouTube", "Organic Video"],
  ["android-app://com.example.reader/", "", "com.example.reader", "Referral"],
  [null, "utm_source=google&utm_medium=cpc&utm_campaign=x", "Google", "Paid Search"],
  [null, "utm_source=facebook&utm_medium=paid_social", "Facebook", "Paid Social"],
  [null, "utm_source=partner&utm_medium=banner", "partner", "Display"],
  [null, "utm_source=newsletter&utm_medium=email", "newsletter", "Email"],
  [null, "utm_source=weekly&utm_medium=affiliates", "weekly", "Affiliates"],
  [null, "ref=producthunt.com", "Product Hunt", "Organic Social"],
  [null, "utm_source=chatgpt.com", "ChatGPT", "AI assistants"],
  [null, "utm_source=perplexity&utm_medium=referral", "Perplexity", "AI assistants"],
  [null, "utm_campaign=spring", "", "Unassigned"],
  ["https://blog.example.org/", "utm_source=weekly", "weekly", "Referral"],
  ["https://blog.example.org/", "utm_source=weekly&utm_medium=post", "weekly", "Unassigned"],
  [null, "utm_source=(direct)&utm_medium=(none)", "", "Direct"],
  ["https://blog.example.org/", "utm_source=(direct)&utm_medium=(not set)", "", "Direct"],
  ["https://www.google.com/", "utm_source=weekly&utm_medium=ai-assistant", "weekly", "AI assistants"],
  [null, "utm_source=gmail&utm_medium=sms", "Gmail", "SMS"],
  [null, "utm_source=newsletter", "newsletter", "Email"],
  [null, "utm_source=fb&utm_medium=cpc", "Facebook", "Paid Social"],
  [null, "utm_source=adwords", "Google", "Organic Search"],
  [null, "utm_source=constructor", "constructor", "Unassigned"],
  [null, "utm_source=bing&utm_medium=cpc&utm_campaign=workshop", "Bing", "Paid Search"],
  [null, "utm_source=bing&utm_medium=cpc&utm_campaign=eshop-sale", "Bing", "Paid Shopping"],
  [null, "utm_source=x&utm_medium=sms", "X", "Organic Social"],
  [null, "utm_source=sms", "sms", "SMS"],
  ["https://www.google.com/", "gclid=abc", "Google", "Paid Search"],
  [null, "gbraid=abc", "Google", "Paid Search"],
  [null, "msclkid=abc", "Bing", "Paid Search"],
  [null, "yclid=1", "Yandex", "Paid Search"],
  [null, "dclid=1", "Google", "Display"],
  ["https://www.youtube.com/", "gclid=abc", "YouTube", "Paid Video"],
  [null, "ttclid=1", "TikTok", "Paid Social"],
  [null, "twclid=1", "X", "Paid Social"],
  [null, "ScCid=1", "Snapchat", "Paid Social"],
  [null, "rdt_cid=1", "Reddit", "Paid Social"],
  ["https://developers.facebook.com/docs", "", "developers.facebook.com", "Referral"],
  [null, "li_fat_id=1", "LinkedIn", "Paid Social"],
  ["https://l.instagram.com/", "fbclid=1", "Instagram", "Organic Social"],
  [null, "fbclid=1", "Facebook", "Organic Social"],
  [null, "fbclid=1&utm_medium=paid", "Facebook", "Paid Social"],
  [null, "gclid=1&utm_source=google&utm_medium=email", "Google", "Organic Search"],
])("from %s with ?%s the source is %j in %s", (referrer, query, name, channel) => {
  expect(source(referrer, query)).toMatchObject({ source: name, channel });
});

test("a web host and an app of the same name are not taken for each other", () => {
  for (const referrer of ["android-app://google.com/", "https://com.google.android.gm/", "ios-app://chatgpt.com/"]) {
    const host = referrer.slice(referrer.indexOf("//") + 2, -1);
    expect(source(referrer)).toMatchObject({ source: host, channel: "Referral", url: host });
  }
});

test("the referring URL is stored without scheme, www and query", () => {
  expect(source("https://www.blog.example.org/a?token=secret#x").url).toBe("blog.example.org/a");
});

test("text is cut by bytes, never within a character, and control characters are removed", () => {
  expect(clip("äöü", 5)).toBe("äö");
  expect(clip("😀😀", 7)).toBe("😀");
  expect(clip("x".repeat(10), 4)).toBe("xxxx");
  expect(plainText("a\u202eb\u0000c\u2066d")).toBe("abcd");
});

test("browsers, operating systems, devices and robots are recognised", () => {
  expect(readAgent(CHROME)).toMatchObject({
    browser: "Chrome",
    browser_version: "142",
    os: "Windows",
    device: "Desktop",
    bot: "",
    isBrowser: true,
  });
  expect(readAgent("curl/8.5.0")).toMatchObject({ bot: "curl", isBrowser: false });
  expect(readAgent("")).toMatchObject({ bot: "no user agent", isBrowser: false });
});

test("screens are grouped into classes, and languages are canonicalised", () => {
  expect(
    ["390x844", "768x1024", "1280", "2560x1440", "x", undefined].map(screenClass).map((text) => text.split(" ")[0]),
  ).toEqual(["Phone", "Tablet", "Laptop", "Desktop", "", ""]);
  expect(["EN-latn-gb", "de", "x".repeat(40), "!!", undefined].map(languageTag)).toEqual(["en-GB", "de", "", "", ""]);
});

test("each channel has the rule that determined it, and rule ids are unique", () => {
  expect(source(null, "gclid=secret-id")).toEqual({
    source: "Google",
    channel: "Paid Search",
    url: "",
    rule: "click_search",
  });
  expect(source(null, "utm_source=google&utm_medium=cpc").rule).toBe("paid_search");
  expect(source(null).rule).toBe("direct");
  const ids = CHANNEL_RULES.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
