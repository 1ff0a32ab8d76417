import { expect, test } from "vitest";
import { readAgent, readHints, refineAgent } from "@/lib/ingest/enrich/agent";
import { rowsOf } from "@/lib/testing/rows";
import { CHROME, makeSite, send } from "@/lib/testing/world";

const PHONE =
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36";
const LINUX = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

const refined = (userAgent: string, headers: Record<string, string>) =>
  refineAgent(
    readAgent(userAgent),
    userAgent,
    readHints((name) => headers[name] ?? null),
  );
const brand = (name: string) => `"Chromium";v="142", "${name}";v="142", "Not_A Brand";v="99"`;

test.each([
  ["Google Chrome", "Chrome"],
  ["Microsoft Edge", "Edge"],
  ["Brave", "Brave"],
  ["Opera", "Opera"],
  ["Something Else", "Chromium"],
])("the brand %s is %s, whatever the user agent says", (name, browser) => {
  expect(refined(CHROME, { "sec-ch-ua": brand(name) })).toMatchObject({ browser, browser_version: "142" });
});

test("hints distinguish Windows 11 from 10, and have current versions of Android and macOS", () => {
  const version = (userAgent: string, platform: string, sent: string) =>
    refined(userAgent, {
      "sec-ch-ua": brand("Google Chrome"),
      "sec-ch-ua-platform": `"${platform}"`,
      "sec-ch-ua-platform-version": `"${sent}"`,
    });
  expect(version(CHROME, "Windows", "15.0.0")).toMatchObject({ os: "Windows", os_version: "11" });
  expect(version(CHROME, "Windows", "10.0.0")).toMatchObject({ os: "Windows", os_version: "10" });
  expect(version(PHONE, "Android", "16.0.0")).toMatchObject({ os: "Android", os_version: "16", device: "Mobile" });
  expect(version(LINUX, "macOS", "26.1.0")).toMatchObject({ os: "Mac OS", os_version: "26" });
});

test("the full version list is read like the list of major versions", () => {
  const full = `"Chromium";v="142.0.7444.59", "Brave";v="142.0.7444.59", "Not_A Brand";v="99.0.0.0"`;
  const headers = { "sec-ch-ua": brand("Google Chrome"), "sec-ch-ua-full-version-list": full };
  expect(refined(CHROME, headers)).toMatchObject({ browser: "Brave", browser_version: "142" });
});

test("without hints, with unusable hints and for robots, only the user agent counts", () => {
  expect(refined(CHROME, {})).toBe(readAgent(CHROME));
  expect(refined(CHROME, { "sec-ch-ua": "nonsense", "sec-ch-ua-platform": '"Linux"' })).toEqual(readAgent(CHROME));
  expect(refined(CHROME, { "sec-ch-ua": '"__proto__";v="1"', "sec-ch-ua-platform": '"constructor"' })).toEqual(
    readAgent(CHROME),
  );
  const robot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
  expect(refined(robot, { "sec-ch-ua": brand("Brave") })).toBe(readAgent(robot));
});

test("a phone or tablet that requests desktop pages is one", () => {
  const headers = { "sec-ch-ua": brand("Google Chrome"), "sec-ch-ua-platform": '"Android"', "sec-ch-ua-mobile": "?1" };
  expect(refined(LINUX, headers)).toMatchObject({ os: "Android", device: "Mobile" });
  const tablet = { ...headers, "sec-ch-ua-mobile": "?0" };
  expect(refined(LINUX, tablet)).toMatchObject({ os: "Android", device: "Tablet" });
});

test("the hints of a browser's request are stored in its agent", async () => {
  const site = await makeSite();
  const headers = {
    origin: `https://${site.host}`,
    "accept-language": "en",
    "sec-ch-ua": brand("Brave"),
    "sec-ch-ua-platform": '"Windows"',
    "sec-ch-ua-platform-version": '"15.0.0"',
  };
  await send(site, "/", { headers });
  const stored = await rowsOf<object[]>`
    SELECT browser, os, os_version FROM facts.agent WHERE site_id = ${site.id}`;
  expect(stored).toEqual([{ browser: "Brave", os: "Windows", os_version: "11" }]);
});
