import { isbotMatch, list } from "isbot";

/**
 * Finds words of robots in user agents. A list of words takes phones, TVs and apps with such a word in their name for
 * robots: `Discovery`, `CUBOT`, `NewsArticle`, `Google TV`. So a complete browser is judged without them.
 */

/** A user agent that has the form of a browser's, without what a robot says about itself. */
const COMPLETE_BROWSER =
  /^(?!.*(?:https?:|www\.|@[a-z]|\+\w+\.\w))(?:[\w. ]+\/[\w.]+ ?(?:\([^)]*\) ?)?){0,3}(?:(?:Mozilla|Opera|UCWEB)\/\d.*(?:AppleWebKit|Gecko\/|Trident\/|MSIE|Presto|UCBrowser|HbbTV)|Dalvik\/\d.*Andr)/i;
/** `compatible;` begins a robot's name, except in Internet Explorer and Konqueror. */
const ROBOT_FORM = /compatible;(?! ?(?:MSIE|Konqueror|U;|OffByOne))/i;
export const isCompleteBrowser = (userAgent: string): boolean =>
  COMPLETE_BROWSER.test(userAgent) && !ROBOT_FORM.test(userAgent);

/** Devices and apps of people whose user agents have a form of their own. */
const OWN_FORM =
  /^\[FBAN\/|^dv\(i|;tpapi\b|^smarttv_|UP\.Browser|MIDP-|MAUI|BREW\/|^SonyEricsson|^Opera\/9\.80, |^(?:iPhone|iPad|iPod)[\w,]*$|SMART-?TV|HbbTV|VIDAA|Aplix|^nook browser|^Theyub /i;

/** The model of an Android device: what follows the version and the language, up to the next part. */
const ANDROID_MODEL =
  /((?:Andr[o0]id|Adr)(?:##)?[ /-]*[\d.]*(?:; ?(?:arm\w*|U|wv|Mobile|Tablet|[a-z]{2}[-_][A-Za-z]{2,4}(?:-[A-Z]{2})?))*; ?)(?:[^;)]*)/gi;
/** Products of people, and parts of TVs and old phones, with words of robots in them. */
const PRODUCTS =
  /\bBuild\/[^;) ]*|\b(?:CUBOT|NewsArticle|SmartNews|NewsBreak|NewsApp|Applenews|AppleNews|GoogleLens|GoogleTV|Google ?TV|Google ?Earth|GoogleApp|GoogleAssistant|SogouMSE|SogouMobileBrowser|SogouSearch|MicroMessenger|Weixin|Process\/tools\w*(?:\(\w*\))?|ChromeFrame|JavaPlatform|Java\/Jbed)\b[^ ;)]*|(?<![-\w])Google\/\d[\d.]*|\bOMI\/[^ ;)]*|\bCE-HTML\/[\d.]*|\bws:\d*\|[\d|.]*|\b(?!NetNews)\w*news\w*\/[\d.]+|\(HTTP \w+;HTTPS\)|\bMetaSr\b|\b(?!Cypress)[\w.-]{1,40}\/[\d.]+ (?=Chrome\/[\d.]+ Electron\/)|\bSE 2\.X\b/gi;

/** isbot's patterns that complete browsers match, too. */
export const NOT_IN_BROWSERS: readonly string[] = ["\\b\\w+/1\\.0;", "\\|", "\\(\\)", ";\\s\\w+;$", "rexx;", "sogou"];
/** Words in names of phones, TVs and apps, whose browsers name them. */
export const NOT_IN_APPS: readonly string[] = [
  "(?:^|[^g])news(?!sapphire)",
  "(?<! channel/|google/)google(?!(?:wv|app|/google| pixel))",
  "(?<!cam)scan",
  "catch",
  " daum[ /]",
  "discovery",
  "download",
  "feed",
  "grab",
  "java(?!;)",
  "library",
  "mail\\.ru/",
  "radar",
  "tools",
  "torrent",
];
/** isbot's patterns of what has not the form of a browser at all. */
const IS_FORM = /^\^(?:\[|\\w|<)/;
const patternOf = (counts: (pattern: string) => boolean) => new RegExp(list.filter(counts).join("|"), "i");
const inBrowsers = (pattern: string) => !NOT_IN_BROWSERS.includes(pattern);
const inApps = (pattern: string) => inBrowsers(pattern) && !NOT_IN_APPS.includes(pattern);
const IN_BROWSERS = patternOf(inBrowsers);
const IN_APPS = patternOf(inApps);
const IN_OWN_FORM = patternOf((pattern) => inApps(pattern) && !IS_FORM.test(pattern));

/** Robots in the form of a phone's browser that have only words of apps in their names. */
const ROBOTS_ON_PHONES =
  /\bGoogle[-_](?!Pixel|TV|Lens|Earth|App\b|Home|Nest)[A-Za-z]\w+|\b\w+-Google\b|Google ?(?:Web ?Light|Web ?Preview|Page ?Speed|Adwords|PP Default|Messages)|\bCatchpoint|wechatdevtools|\bNetNewsWire/i;

/** Monitors that no list of words has. */
const OTHER_ROBOTS =
  /\bHLB\/\d|\b360JK\b|\byunjiankong\b|\bYLT Chrome|\bTSM-turingos|\bNikto\/|\bMechanize\/\d|\bWindowsPowerShell\/|^Viber\/|\blinepoker\b/;

/** What runs apps with browsers in them. */
export const HANDHELD = /Andr[o0]id|\bAdr |\(iP(?:hone|ad|od)|Mobile|\bTV\b|SmartTV|HbbTV/i;

/** Returns a complete browser's user agent without the model of its device, which may have any name. */
export const withoutModel = (userAgent: string): string => userAgent.replace(ANDROID_MODEL, "$1");

/** Also without the products that people use. */
export const withoutProducts = (userAgent: string): string => withoutModel(userAgent).replace(PRODUCTS, "");

/**
 * Returns the text by which a user agent is a robot's, or null for a person's browser.
 *
 * @param text the user agent, of a complete browser `withoutProducts`.
 */
export function robotWordsIn(userAgent: string, text: string, isComplete: boolean): string | null {
  const other = OTHER_ROBOTS.exec(userAgent)?.[0];
  if (other !== undefined) return other;
  if (!isComplete) {
    return OWN_FORM.test(userAgent)
      ? (IN_OWN_FORM.exec(withoutProducts(userAgent))?.[0] ?? null)
      : isbotMatch(userAgent);
  }
  const words = HANDHELD.test(userAgent) ? IN_APPS : IN_BROWSERS;
  return (words.exec(text) ?? ROBOTS_ON_PHONES.exec(text))?.[0] ?? null;
}
