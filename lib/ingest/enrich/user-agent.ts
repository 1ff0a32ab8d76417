/** What a user agent says about the browser and what it runs on; `''` for what it does not say. */
interface ParsedAgent {
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
const BROWSER_PRODUCTS: readonly (readonly [name: string, ...products: string[]])[] = [
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
  BROWSER_PRODUCTS.flatMap(([name, ...products], rank) =>
    products.map((product) => [product, { name, rank }] as const),
  ),
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

/** Decides what kind of device a user agent is of. */

/**
 * Returns the kind of device. Phones, tablets and TVs with Android share one form of user agent, so the model decides:
 * makers of TVs name the size of the screen, and boxes and tablets mostly what they are.
 */
function deviceOf(userAgent: string, browser: string, os: string): ParsedAgent["device"] {
  if (TV.test(userAgent)) return "TV or console";
  const model = modelOf(userAgent);
  if (model !== null) return androidDeviceOf(userAgent, model);
  if (/\biPad\b|iPad\d|\bTablet\b|PlayBook|Kindle|\bSilk\/(?!.*Mobile)/.test(userAgent)) return "Tablet";
  if (MOBILE.test(userAgent) || PHONE_SYSTEMS.has(os)) {
    return DESKTOP_APP.test(userAgent) && !PHONE_SYSTEMS.has(os) ? "Desktop" : "Mobile";
  }
  if (DESKTOP_SYSTEMS.has(os) && (browser !== "" || DESKTOP_APP.test(userAgent))) return "Desktop";
  return browser === "" ? "" : "Desktop";
}

const PHONE_SYSTEMS: ReadonlySet<string> = new Set(["Windows Phone", "KaiOS", "BlackBerry", "Symbian", "BREW"]);
const DESKTOP_SYSTEMS: ReadonlySet<string> = new Set(["Windows", "Mac OS", "Linux", "Chromium OS"]);
/** Programs of a computer that name the computer's model. */
const DESKTOP_APP = /; ?Desktop\b|\bMacBook|\biMac|Mac(?:mini|Pro|OS)|PowerMac|PowerBook|Windows NT(?!.*Lumia)/;

const TV =
  /smart-?_?tv|hbbtv|google ?tv|apple ?tv|android ?tv|net ?cast|\bweb0s\b|webos\.tv|viera|bravia|aquos|vidaa|\bOMI\/|NETTV|NETRANGE|CE-HTML|_TV_|\bDTV\b|TV Safari|\bTV Bro\b|MagentaTV|tvos\b|\bMi(?:TV|Box)|CrKey|Chromecast|\bRoku\b|\bAFT[A-Z]{1,3}[A-Z\d]*\b|\bATV\b|BrightSign|Large Screen|Tizen[^)]*\bTV\b|Family Hub|\bTiVo|set-?top|\bSTB\b|DuneHD|TV Store|KreaTV|Westerndigital\/|SonyDTV|InettvBrowser|Maple ?20|SMARTHUB|Freebox|Sagemcom_Broadband|PlayStation|PLAYSTATION|\(PS\d\)|Nintendo|\bXbox|SEGASATURN|XBOX_ONE|Netflix\/|tpapi|Espial|ANTGalio|MB9\d\/|#TCL\//i;

/** Words of phones, in user agents without Android. */
const MOBILE =
  /\biPhone|\biPod|\bMobi|Opera Mini|Opera Mobi|MIDP|CLDC|\bUP\.Browser|UCWEB|NetFront|MAUI|\bJ2ME|DoCoMo|KDDI|SoftBank|Vodafone|Windows CE|PalmOS|webOS\/|Nokia|Lumia|SonyEricsson|SAMSUNG-|SEC-|\bLG[-/]|\bMOT-|\bWAP\b|Obigo|Polaris|SEMC|dv\(iPh|\bWatch\b|watchOS/i;

/** The Android model follows the version, after the language in old browsers. */
const MODEL =
  /(?:(?<![.\w])Andr[o0]id|\bAdr)(?:##)?[ /-]*[\d.]*(?:; ?(?:arm|U|Mobile|Tablet|[a-z]{2}[-_][A-Za-z]{2}))*; ?([^;)]*)/i;

/** Returns the model of an Android device, `''` when it is not sent, or null for other systems. */
function modelOf(userAgent: string): string | null {
  if (!/(?<![.\w])Andr[o0]id|\bAdr /i.test(userAgent)) return null;
  return (MODEL.exec(userAgent)?.[1] ?? "").replace(/ ?Build\b.*/, "").trim();
}

/** Screen sizes of TVs, in inches. */
const INCHES = "(?:19|2[2458]|3[29]|4[0-39]|5[058]|6[05]|7[057]|8[256]|98)";
const TV_MODEL = new RegExp(
  [
    // `32R670TS`, `43U800BR`, `50LEX-8127`, `55UC30G`
    `^${INCHES}[A-Z]{1,5}[-_ ]?\\d`,
    `^${INCHES}[A-Z]{3,5}[-\\d]`,
    // `STV-40LED42S`, `NVX-32H219MSY`, `POLAR_WK_P39L21`, `LT-43NX8000S`
    `^[A-Za-z]{2,}\\w*?[-_ ][A-Z]?${INCHES}[A-Z]{1,4}\\d`,
    `LED[-_ ]?${INCHES}`,
    // `U43G9000CG`, `H24H8000C`, `TD32HFGEV1`
    `^(?:TD|TQ|TDTV)${INCHES}[A-Z]`,
    `^[A-Z]${INCHES}(?:[A-Z]{1,3}\\d{1,4}\\w|[A-Z]{2,4}[-_])`,
    // the panel: `PT430CT02-1`, `LSC390TU1A`, `536D480XF52_FHD`
    "\\bShell\\b|\\b(?:LC|LSC|PT|HV|VVH|\\d{3}D)(?:320|390|4[0-39]\\d|5[058]\\d|65\\d)[A-Z]",
  ].join("|"),
);
/** Words in the names of TVs and boxes. */
const TV_WORDS =
  /\bTV(?:$|[^a-z\d])|(?<![D-])TV\d?\b|tv[-_ ]?box|\bbox|box\b|T?V?BOX(?![_A-Z])|stick\b|\bSTV|UTS2C|T2SM?\b|_UHD|_FHD|Rombica|iconBIT|\bYNDX-|VONTAR|UGOOS|MECOOL|Formuler|GTKing|\bA95X|\bH96(?!\d)|\bT95|\bX96|\bX88|\bTX\d(?:s|\b)|\bTX\d ?(?:mini|max|pro)|\bM8S|\bMXQ|\bHK1\b|\bKM\d{1,2}(?:PRO)?$|\bNEO[- ][UX]|\bMK\d{3}|\bCT-88\d\d|\bNV[57]\d\d|\b(?:DV|EC)\d{4}V?|\bVMP|\bQM16\dE|\bTPM1\d\dE|Shield|Hiremco|Leelbox|Openbox|Nexbox|NEXON X|Horizont|Transpeed|Orbsmart|DREAMSTAR|KATV|SkyStream/i;

/** Models and series that are tablets, also of browsers that call themselves mobile. */
const TABLET_MODEL =
  /\b(?:SM-[TPX]\d|GT-[PN][158]|SGH-T8[45]9|SCH-I[89]00|SHW-M[34]80|SC-0[12]C|Nexus (?:7|9|10)\b|Pixel (?:C\b|Tablet)|KF[A-Z]{2,6}\b|Xoom|TB-?\w*\d{3}|TB\d-|YT\d?-|SGP[35-7]\d\d|Lenovo (?:TAB|TB|YT|IdeaTab)|PMT\d{4}|PMP\d{4}|PMID|MID\w*\d|LIFETAB|T?AB\d{2,}|ADT\d{3}|RCT\d|BNTV|OPD\d{4}|\d{5}RP|2\d{3,5}\w?RP\d|TZ\d{3}|TM-[789]\d{3}|IdeaTab|ThinkPad ?Tab|SurfTab|ARCHOS (?:7|8|9|10)|Woxter QX|Navitel|WEXLER|TAB_?\w|PLT\d{4})|(?:^|[^a-z])(?:Tab|Tablet|Pad|Slate|MediaPad|MatePad|iPlay|Hudl|Wink)(?:$|[^a-z]|[A-Z])|(?:tab|[^a]pad)(?:$|[^a-z])|Tab(?:let)?[_ \dA-Z]|[A-Z]?(?:TAB|PAD)(?:$|[^A-Z])|\b(?:AGS\d?|AGR|BAH\d?|BG2|BTK[R]?|BTV|BZ[A-Z]|CMR|DBR|DBY\d?|GOT|HDN|HEY2|JDN\d?|KOB\d?|KJR|MRR|MRX|NEY|ROL|SCM\d?R?|SHT|VRD|WGR|WGRR|XYAO|Bach\d?|FRL|MON)-(?:W|L|AL|AN|N)\w?\d|(?:CITI|Plane|Optima|Platina)[ _]\w*\d{4}|(?:TS|PS|MS|CS|WS|HS|ES|NS)(?:[789]|1[0-4])\d{2,3}[A-Z]{2}\b|BQ-(?:7|8|10)\d{2}|BQ-1\d{3}|_(?:7|8|10)_(?:PLUS|3G|4G)|(?:7|8|9|10)(?:\.\d)?(?: |_)?(?:HD|3G|4G|WiFi)\b/;

/** Computers with Android apps: Chromebooks, and laptops that run Android. */
const COMPUTER =
  /Chromebook|CrosArc|Pixelbook|; (?:Aspire|Inspiron|Vostro|Latitude|TravelMate|SATELLITE|EasyNote|ThinkPad [A-Z]\d|HP ProBook|VivoBook) /i;

function androidDeviceOf(userAgent: string, model: string): ParsedAgent["device"] {
  if (COMPUTER.test(userAgent)) return "Desktop";
  if (TABLET_MODEL.test(model) || /\bTablet\b|\biPad\b/.test(userAgent)) return "Tablet";
  if (TV_MODEL.test(model) || TV_WORDS.test(model)) return "TV or console";
  if (/\bMobi|Mobile/.test(userAgent) || PHONE_MODEL.test(model)) return "Mobile";
  // Android Browser and Chrome call themselves mobile on phones alone; apps and the system's own calls do not say.
  return /AppleWebKit\/|Gecko\//.test(userAgent) ? "Tablet" : "Mobile";
}

/** Folding phones, which ask for desktop pages. */
const PHONE_MODEL = /^(?:(?:SAMSUNG )?SM-F\d|V2\d{3}|P[A-Z]{2}[MT]\d0$|[A-Z]{3}-(?:AN|TN|NX|LX)\d|Doro )/;
