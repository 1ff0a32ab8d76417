import { expect, test } from "vitest";
import { recogniseRobot } from "@/lib/ingest/enrich/robots";
import { parseUserAgent } from "@/lib/ingest/enrich/user-agent";
import { fastestMs } from "@/lib/testing/fastest";

const ANDROID = (model: string, mobile = " Mobile", more = "") =>
  `Mozilla/5.0 (Linux; Android 14; ${model}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0${mobile} Safari/537.36${more}`;
const IPHONE = (more: string) =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ${more}`;
const WINDOWS = (more: string) =>
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36${more}`;
const MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)";

test.each([
  [WINDOWS(""), "Chrome", "142.0.0.0", "Windows", "10", "Desktop"],
  [WINDOWS(" Edg/142.0.3595.53"), "Edge", "142.0.3595.53", "Windows", "10", "Desktop"],
  [WINDOWS(" OPR/124.0.0.0"), "Opera", "124.0.0.0", "Windows", "10", "Desktop"],
  [WINDOWS(" Vivaldi/7.6"), "Vivaldi", "7.6", "Windows", "10", "Desktop"],
  [`${MAC} Version/18.6 Safari/605.1.15`, "Safari", "18.6", "Mac OS", "10.15.7", "Desktop"],
  ["Mozilla/5.0 (Windows NT 6.1; Trident/7.0; rv:11.0) like Gecko", "IE", "11.0", "Windows", "7", "Desktop"],
  [
    "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0",
    "Firefox",
    "144.0",
    "Linux",
    "",
    "Desktop",
  ],
  [
    "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
    "Chrome",
    "142.0.0.0",
    "Chromium OS",
    "14541.0.0",
    "Desktop",
  ],
  [IPHONE("Version/18.6 Mobile/15E148 Safari/604.1"), "Mobile Safari", "18.6", "iOS", "18.6", "Mobile"],
  [IPHONE("CriOS/142.0.7444.77 Mobile/15E148 Safari/604.1"), "Chrome", "142.0.7444.77", "iOS", "18.6", "Mobile"],
  [IPHONE("FxiOS/144.0 Mobile/15E148 Safari/604.1"), "Firefox", "144.0", "iOS", "18.6", "Mobile"],
  [IPHONE("GSA/391.0 Mobile/15E148 Safari/604.1"), "Google Search App", "391.0", "iOS", "18.6", "Mobile"],
  [
    IPHONE("Mobile/22G86 Instagram 400.0.0.30.74 (iPhone14,5; iOS 18_6)"),
    "Instagram",
    "400.0.0.30.74",
    "iOS",
    "18.6",
    "Mobile",
  ],
  [
    IPHONE("Mobile/22G86 [FBAN/FBIOS;FBAV/530.0.0.44.79;FBDV/iPhone14,5]"),
    "Facebook",
    "530.0.0.44.79",
    "iOS",
    "18.6",
    "Mobile",
  ],
  [IPHONE("Mobile/22G86 [LinkedInApp]/9.31"), "LinkedIn", "", "iOS", "18.6", "Mobile"],
  [IPHONE("Mobile/15E148"), "Mobile Safari", "", "iOS", "18.6", "Mobile"],
  [IPHONE("Mobile/15E148 Weibo (iPhone14,2__weibo__14.11.1__iphone__os18.6)"), "Weibo", "", "iOS", "18.6", "Mobile"],
  [IPHONE("Mobile/15E148 Safari/604.1 Ecosia ios@10.4.2"), "Ecosia", "", "iOS", "18.6", "Mobile"],
  [ANDROID("SM-A546B", " Mobile", "Snapchat13.16.0.51 (SM-A546B; gzip; )"), "Snapchat", "", "Android", "14", "Mobile"],
  [WINDOWS(" QIHU 360SE"), "360", "", "Windows", "10", "Desktop"],
  [
    "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0 LibreWolf/144.0",
    "LibreWolf",
    "144.0",
    "Linux",
    "",
    "Desktop",
  ],
  [
    "Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
    "Mobile Safari",
    "17.5",
    "iOS",
    "17.5",
    "Tablet",
  ],
  [ANDROID("K"), "Chrome", "142.0.0.0", "Android", "14", "Mobile"],
  [
    ANDROID("SM-S928B", " Mobile").replace("Chrome/", "SamsungBrowser/28.0 Chrome/"),
    "Samsung Internet",
    "28.0",
    "Android",
    "14",
    "Mobile",
  ],
  [
    ANDROID("Pixel 9; wv").replace("Chrome/", "Version/4.0 Chrome/"),
    "Chrome WebView",
    "142.0.0.0",
    "Android",
    "14",
    "Mobile",
  ],
  [ANDROID("2201117TG", " Mobile", " EdgA/142.0.0.0"), "Edge", "142.0.0.0", "Android", "14", "Mobile"],
  [
    "Opera/9.80 (J2ME/MIDP; Opera Mini/8.0.35; U; en) Presto/2.8.119 Version/11.10",
    "Opera Mini",
    "8.0.35",
    "",
    "",
    "Mobile",
  ],
  [
    "Mozilla/5.0 (Mobile; Example_8110; rv:84.0) Gecko/84.0 Firefox/84.0 KAIOS/3.1",
    "Firefox",
    "84.0",
    "KaiOS",
    "3.1",
    "Mobile",
  ],
] as const)("%s", (userAgent, browser, browserVersion, os, osVersion, device) => {
  expect(parseUserAgent(userAgent)).toEqual({ browser, browserVersion, os, osVersion, device });
});

test.each([
  ["Tablet", ANDROID("SM-X710", "")],
  ["Tablet", ANDROID("SM-T870")],
  ["Tablet", ANDROID("Lenovo TB-X606F")],
  ["Tablet", ANDROID("Example Tab 12")],
  ["Tablet", ANDROID("KFTRWI", "")],
  ["Tablet", ANDROID("UNKNOWN-71", "")],
  ["Tablet", "Mozilla/5.0 (Android 14; Tablet; rv:144.0) Gecko/144.0 Firefox/144.0"],
  ["TV or console", ANDROID("BRAVIA 4K UR3", "")],
  ["TV or console", ANDROID("AFTKRT")],
  ["TV or console", ANDROID("Example 43U700KD", "").replace("Example ", "")],
  ["TV or console", ANDROID("Example TV Box", "")],
  [
    "TV or console",
    "Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/94.0.0.0 Safari/537.36 WebAppManager",
  ],
  [
    "TV or console",
    "Mozilla/5.0 (SMART-TV; LINUX; Tizen 7.0) AppleWebKit/537.36 (KHTML, like Gecko) 94.0.4606.31/7.0 TV Safari/537.36",
  ],
  [
    "TV or console",
    "Mozilla/5.0 (PlayStation; PlayStation 5/9.60) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.0 Safari/605.1.15",
  ],
  ["TV or console", `${WINDOWS(" Edg/142.0.0.0").replace("x64)", "x64; Xbox; Xbox Series X)")}`],
  ["Mobile", ANDROID("SM-F946B", "")],
  ["Mobile", ANDROID("moto g54 5G")],
  ["Mobile", ANDROID("M50A PLUS")],
  ["Desktop", ANDROID("Example Chromebook 14", "")],
])("a %s: %s", (device, userAgent) => {
  expect(parseUserAgent(userAgent).device).toBe(device);
});

test("a user agent of any text is parsed in little time", () => {
  const hostile = [
    "Opera ".repeat(3_000),
    `${"a".repeat(20_000)}/`,
    `Android ${";U".repeat(9_000)}`,
    `Mozilla/5.0 (${"; x".repeat(6_000)}`,
    "x/1 (".repeat(4_000),
    "__".repeat(10_000),
    `${"a.".repeat(9_000)}/1 Mozilla/5.0`,
    `Mozilla/5.0 (Linux; Android 14${"; ar-ar".repeat(3_000)}`,
    `Mozilla/5.0 ${"+a.b ".repeat(4_000)}`,
    `${"news".repeat(5_000)}/`,
  ];
  for (const text of hostile) {
    const ms = fastestMs(() => [parseUserAgent(text), recogniseRobot(text)]);
    expect(ms, text.slice(0, 20)).toBeLessThan(1_000);
  }
});
