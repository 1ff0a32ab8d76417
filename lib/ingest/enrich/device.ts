import type { ParsedAgent } from "@/lib/ingest/enrich/user-agent";

/** Decides what kind of device a user agent is of. */

/**
 * Returns the kind of device. Phones, tablets and TVs with Android share one form of user agent, so the model decides:
 * makers of TVs name the size of the screen, and boxes and tablets mostly what they are.
 */
export function deviceOf(userAgent: string, browser: string, os: string): ParsedAgent["device"] {
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
