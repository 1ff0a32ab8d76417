import { deviceOf } from "@/lib/ingest/enrich/device";

/** What a user agent says about the browser and what it runs on; `''` for what it does not say. */
export interface ParsedAgent {
  browser: string;
  /** The whole version, such as `142.0.7444.59`. */
  browserVersion: string;
  os: string;
  osVersion: string;
  device: "" | "Desktop" | "Mobile" | "Tablet" | "TV or console";
}

/** Parses a user agent (RFC 9110 section 10.1.5) in a few microseconds. */
export function parseUserAgent(userAgent: string): ParsedAgent {
  const [browser, browserVersion] = browserOf(userAgent);
  const [os, osVersion] = systemOf(userAgent);
  return { browser, browserVersion, os, osVersion, device: deviceOf(userAgent, browser, os) };
}

/**
 * Browsers and apps by the product that names them, in order of precedence: an app comes before the browser whose
 * engine it has, and a browser before Chrome, Safari and Firefox, which most others name too.
 */
const PRODUCTS: readonly (readonly [name: string, ...products: string[]])[] = [
  ["Facebook", "fbav", "fban", "fb_iab"],
  ["Instagram", "instagram"],
  ["Threads", "barcelona"],
  ["Messenger", "messengerforios", "messengerlite"],
  ["WhatsApp", "whatsapp"],
  ["WeChat", "micromessenger"],
  ["TikTok", "musical_ly", "bytedancewebview", "trill", "bytelocale"],
  ["Snapchat", "snapchat"],
  ["Pinterest", "pinterest"],
  ["LinkedIn", "linkedin", "linkedinapp"],
  ["Reddit", "reddit"],
  ["Twitter", "twitter", "twitterandroid"],
  ["Line", "line"],
  ["KakaoTalk", "kakaotalk"],
  ["KakaoStory", "kakaostory"],
  ["Naver", "naver"],
  ["Daum", "daumapps"],
  ["Alipay", "alipayclient"],
  ["Weibo", "weibo"],
  ["Klarna", "klarna"],
  ["Xiaohongshu", "xiaohongshu"],
  ["ChatGPT Atlas", "chatgptatlas"],
  ["ChatGPT", "chatgpt"],
  ["Google Search App", "gsa"],
  ["DuckDuckGo", "duckduckgo", "ddg"],
  ["Edge", "edg", "edga", "edgios", "edge", "edgw"],
  ["Opera Mini", "opera mini", "opios"],
  ["Opera GX", "opx", "oprgx"],
  ["Opera Touch", "opt"],
  ["Opera Mobi", "opera mobi", "opera tablet"],
  ["Opera Coast", "coast"],
  ["Opera", "opr", "opera"],
  ["Oculus Browser", "oculusbrowser"],
  ["Samsung Internet", "samsungbrowser"],
  ["Yandex", "yabrowser", "yasearchbrowser", "yasearchapp"],
  ["UC Browser", "ucbrowser", "uc browser", "ubrowser"],
  ["UC Browser", "ucweb", "uc"],
  ["QQ Browser", "qqbrowser", "mqqbrowser", "qqbrowserlite", "qq"],
  ["MIUI Browser", "miuibrowser"],
  ["Huawei Browser", "huaweibrowser"],
  ["Honor Browser", "honorbrowser"],
  ["Vivo Browser", "vivobrowser"],
  ["HeyTap", "heytapbrowser"],
  ["Pico Browser", "picobrowser"],
  ["Sailfish Browser", "sailfishbrowser"],
  ["Meizu Browser", "mzbrowser"],
  ["Phoenix", "phx", "phoenix"],
  ["Aloha", "alohabrowser", "aloha"],
  ["Quark", "quark", "quarkpc"],
  ["Baidu", "baiduboxapp", "bidubrowser", "baidubrowser", "baidud", "bdbrowser", "bdbrowser_i18n"],
  ["Sogou Mobile", "sogoumobilebrowser", "sogoumse"],
  ["Sogou Explorer", "metasr"],
  ["360", "qihoobrowser", "360browser", "qhbrowser", "360se", "360ee"],
  ["Maxthon", "maxthon", "mxbrowser", "mxios"],
  ["2345Explorer", "2345explorer", "2345chrome"],
  ["LieBao", "lbbrowser"],
  ["Coc Coc", "coc_coc_browser"],
  ["Silk", "silk"],
  ["Vivaldi", "vivaldi"],
  ["Brave", "brave"],
  ["Whale", "whale"],
  ["Ecosia", "ecosia"],
  ["Puffin", "puffin"],
  ["Kiwi", "kiwi"],
  ["Avast Secure Browser", "avast"],
  ["AVG Secure Browser", "avg"],
  ["CCleaner Browser", "ccleaner"],
  ["Smart Lenovo Browser", "slbrowser"],
  ["Iron", "iron"],
  ["Sleipnir", "sleipnir"],
  ["Lunascape", "lunascape"],
  ["Falkon", "falkon"],
  ["qutebrowser", "qutebrowser"],
  ["Thunderbird", "thunderbird"],
  ["QupZilla", "qupzilla"],
  ["Konqueror", "konqueror"],
  ["Epiphany", "epiphany"],
  ["Midori", "midori"],
  ["Electron", "electron"],
  ["Tesla", "tesla", "qtcarbrowser"],
  ["TV Bro", "tv bro"],
  ["Roku", "roku"],
  ["Kindle", "kindle"],
  ["Dolphin", "dolfin", "dolphin", "dolphinbrowser"],
  ["Firefox Focus", "focus", "klar"],
  ["Firefox", "fxios"],
  ["Chrome", "crios", "crmo"],
  ["LibreWolf", "librewolf"],
  ["Waterfox", "waterfox"],
  ["Palemoon", "palemoon", "pale moon"],
  ["SeaMonkey", "seamonkey"],
  ["IceCat", "icecat"],
  ["Basilisk", "basilisk"],
  ["K-Meleon", "k-meleon"],
  ["Camino", "camino"],
  ["Fennec", "fennec"],
  ["Wolvic", "wolvic"],
  ["Netscape", "netscape", "netscape6", "navigator"],
  ["IEMobile", "iemobile"],
  ["IE", "msie"],
  ["NetFront", "netfront"],
  ["UP.Browser", "up.browser"],
  ["Polaris", "polaris"],
  ["Obigo", "obigo", "obigointernetbrowser", "teleca"],
  ["MAUI WAP Browser", "maui", "maui wap browser"],
  ["SEMC-Browser", "semc-browser"],
  ["Nokia Browser", "nokiabrowser", "browserng"],
  ["BlackBerry", "blackberry"],
  ["Tizen Browser", "tizenbrowser", "tizen browser"],
  ["Chrome Headless", "headlesschrome"],
  ["Chromium", "chromium"],
  ["Lynx", "lynx"],
  ["Links", "links"],
  ["w3m", "w3m"],
  ["Dillo", "dillo"],
  ["NetSurf", "netsurf"],
  ["Ladybird", "ladybird"],
  ["Mosaic", "mosaic", "ncsa_mosaic"],
  ["OmniWeb", "omniweb"],
  ["Cobalt", "cobalt"],
  ["Chrome", "chrome"],
  ["Firefox", "firefox"],
  ["Safari", "safari", "mobile safari", "mobilesafari"],
  ["WebKit", "applewebkit"],
];
/** The name of each product, and its place in the order above. */
const BY_PRODUCT = new Map(
  PRODUCTS.flatMap(([name, ...products], rank) => products.map((product) => [product, { name, rank }] as const)),
);

/** A product and its version: `Chrome/142.0`, `Opera Mini/7`, `musical_ly_34.1`, `Weibo (…__weibo__12.1)`. */
const PRODUCT =
  /(?<![\w.+-])((?:Opera |UC |TV |Pale |MAUI WAP |Tizen )?[A-Za-z\d][\w.+-]*?)(?:__|_v?(?=\d)|\/v?)(\d[\w.-]*)?/gi;
/** Products that are named in another form. */
const OTHER_PRODUCT =
  /\b(Instagram|Barcelona|MSIE|Opera|KAKAOTALK|Snapchat|Chromium|QtCarBrowser|Lunascape|MetaSr) (\d[\w.]*)|\[(LinkedIn)App\]|\b(Twitter)(?:Android| for )|\b(NAVER)\(|\b(Roku);|\b(LBBROWSER)\b|\b(Tesla) |\b(360[SE]E)\b|\b(Ecosia) (?:ios|android)@|__(weibo)__|\d(Snapchat)\/?\d/gi;

function browserOf(userAgent: string): readonly [name: string, version: string] {
  let best: { name: string; rank: number } | undefined;
  let version = "";
  let own = "";
  const consider = (product: string, number: string) => {
    const known = BY_PRODUCT.get(product);
    if (known === undefined) return;
    if (best === undefined || known.rank < best.rank) [best, version] = [known, number];
    // Facebook names itself several times, but with its version only once.
    else if (known.rank === best.rank && version === "") version = number;
  };
  for (const [, product = "", number = ""] of userAgent.matchAll(PRODUCT)) {
    const lower = product.toLowerCase();
    if (lower === "version") own = number;
    else consider(lower, number);
  }
  for (const other of userAgent.matchAll(OTHER_PRODUCT)) {
    const product = other[1] ?? other.slice(3).find((name) => name !== undefined) ?? "";
    consider(product.toLowerCase(), other[2] ?? "");
  }
  return nameOf(userAgent, best?.name ?? "", version, own);
}

function nameOf(userAgent: string, name: string, version: string, own: string): readonly [string, string] {
  if (name !== "IEMobile" && (name === "IE" || userAgent.includes("Trident/7"))) {
    return ["IE", tridentVersion(userAgent) ?? version];
  }
  // Opera 10 to 12 calls itself 9.80.
  if (name === "Opera" && version.startsWith("9.")) return [name, own || version];
  if (name !== "Chrome" && name !== "Safari" && name !== "WebKit" && name !== "Firefox" && name !== "") {
    return [name, version];
  }
  const isAndroid = ANDROID.test(userAgent);
  if (name === "Chrome") return [isAndroid && (own || userAgent.includes("; wv")) ? "Chrome WebView" : name, version];
  if (name === "Firefox") return [userAgent.includes("Mobile VR;") ? "Firefox Reality" : name, version];
  if (name === "") return /^Mozilla\/.*rv:.*Gecko\//.test(userAgent) ? ["Mozilla", version] : ["", ""];
  if (isAndroid) return ["Android Browser", own];
  if (/\(iP|\(Apple-iP|\biOS\b/.test(userAgent)) return ["Mobile Safari", own];
  return name === "Safari" ? [name, own || version] : [name, version];
}

const ANDROID = /(?<![.\w])Andr[o0]id|\bAdr /i;

/** Returns the version of Internet Explorer by its engine, which its compatibility view does not change. */
function tridentVersion(userAgent: string): string | undefined {
  const engine = /Trident\/(\d+)/.exec(userAgent)?.[1];
  return engine === undefined ? undefined : `${Number(engine) + 4}.0`;
}

const WINDOWS: Readonly<Record<string, string>> = {
  "NT 10.0": "10",
  "10.0": "10",
  "NT 6.4": "10",
  "NT 6.3": "8.1",
  "NT 6.2": "8",
  "NT 6.1": "7",
  "NT 6.0": "Vista",
  "NT 5.2": "XP",
  "NT 5.1": "XP",
  "NT 5.0": "2000",
};

/**
 * Systems in order of precedence, since phones and TVs name the system that theirs is made of. A second group is the
 * version where the name is the first.
 */
const SYSTEMS: readonly (readonly [pattern: RegExp, name: string | null])[] = [
  [/Windows (?:Phone(?: OS)?|Mobile)[ /]?(\d[\d.]*)?/, "Windows Phone"],
  [/\bXbox|XBOX_/i, "Xbox"],
  [/(?:Open)?Harmony(?:OS)?(?:[ /]?(\d[\d.]*))?/, "HarmonyOS"],
  [/KAIOS(?:\/(\d[\d.]*))?/i, "KaiOS"],
  [/Tizen(?:[ /](\d[\d.]*))?/, "Tizen"],
  [/WEBOS(\d+(?:\.\d+)?)|Web0S|webOS(?:\.TV)?(?:[ /-](\d[\d.]*))?|hpwOS\/(\d[\d.]*)/, "webOS"],
  [/VIDAA(?:\/(\d[\d.]*))?/, "VIDAA"],
  [/(?:(?<![.\w])Andr[o0]id|\bAdr)(?:##)?(?:[ /-]*(\d[\d.]*))?/i, "Android"],
  [/PlayStation(?: ?(\d|Vita|Portable))?/i, "PlayStation"],
  [/Nintendo(?: (\w+))?/, "Nintendo"],
  [/\bCrOS(?: \w+ (\d[\d.]*))?/, "Chromium OS"],
  [/watchOS(?:[ /,](\d[\d.]*))?|\bWatch\d,\d/, "watchOS"],
  [/OS (\d[\d_.]*) like Mac|\(iP[^)]*?OS[ /]?(\d[\d_.]*)|\(iP(?:hone|ad|od)|^iP(?:hone|ad|od)/, "iOS"],
  [/\b(?:iOS|iPadOS)(?:[ /-](\d[\d_.]*))?/, "iOS"],
  [/Windows[ /]((?:NT )?\d+\.\d+|\d+|CE|ME|XP|Vista)|\bWindows\b|Win(?:9[58]|32|NT)/, "Windows"],
  [/Mac OS X (\d[\d_.]*)|Mac OS\/(\d[\d.]*)/, "Mac OS"],
  [/Mac OS X|Macintosh|Mac_PowerPC|\((?:Mac\w*|iMac|PowerMac)\d|\bDarwin\/[\d.]+ \((?:x86_64|i386|Power)/, "Mac OS"],
  [/CFNetwork\/|\bDarwin\//, "iOS"],
  [/BlackBerry|BB10|RIM Tablet/, "BlackBerry"],
  [/Symbian(?:OS)?(?:[ /](\d[\d.]*))?|Series ?60|S60/, "Symbian"],
  [/\bBREW(?:[ /](\d[\d.]*))?/i, "BREW"],
  [/Roku(?:\/DVP[ /-](\d[\d.]*))?/, "Roku"],
  [/\b(Ubuntu|Fedora|Debian|CentOS|Red Hat|SUSE|Gentoo|Mint|Slackware|Mandriva|Mageia)\b(?:[ /-](\d[\d.]*))?/, null],
  [/\b(FreeBSD|OpenBSD|NetBSD|DragonFly|SunOS|Haiku|AmigaOS|Fuchsia|QNX)\b(?:[ /](\d[\d.]*))?/, null],
  [/Linux|X11/i, "Linux"],
];

function systemOf(userAgent: string): readonly [name: string, version: string] {
  for (const [pattern, name] of SYSTEMS) {
    const found = pattern.exec(userAgent);
    if (found === null) continue;
    const version = ((name === null ? found[2] : (found[1] ?? found[2] ?? found[3])) ?? "").replaceAll("_", ".");
    return [name ?? found[1] ?? "", name === "Windows" ? (WINDOWS[version] ?? version) : version];
  }
  return ["", ""];
}
