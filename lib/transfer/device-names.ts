/** Maps names of browsers, operating systems and devices in other services to ours. */

const BROWSERS: Readonly<Record<string, string>> = {
  chrome: "Chrome",
  "google chrome": "Chrome",
  crios: "Chrome",
  "chromium-webview": "Chrome WebView",
  firefox: "Firefox",
  fxios: "Firefox",
  safari: "Safari",
  ios: "Mobile Safari",
  "safari (in-app)": "Mobile Safari",
  "edge-chromium": "Edge",
  "edge-ios": "Edge",
  edge: "Edge",
  "microsoft edge": "Edge",
  opera: "Opera",
  "opera gx": "Opera",
  "opera-mini": "Opera Mini",
  samsung: "Samsung Internet",
  "samsung browser": "Samsung Internet",
  android: "Android Browser",
  "android webview": "Chrome WebView",
  aol: "AOL",
  "aol desktop": "AOL",
  bb10: "BlackBerry",
  beaker: "Beaker",
  curl: "curl",
  facebook: "Facebook",
  ie: "IE",
  "internet explorer": "IE",
  instagram: "Instagram",
  "ios-webview": "Mobile Safari",
  kakaotalk: "KakaoTalk",
  miui: "MIUI Browser",
  phantomjs: "PhantomJS",
  searchbot: "Search bot",
  silk: "Silk",
  "amazon silk": "Silk",
  "mobile silk": "Silk",
  gsa: "Google Search App",
  ucbrowser: "UC Browser",
  qqbrowser: "QQ Browser",
  yabrowser: "Yandex",
  yandexbrowser: "Yandex",
  "yandex browser": "Yandex",
  // Umami's name for an unknown browser.
  browser: "",
};
const SYSTEMS: Readonly<Record<string, string>> = {
  mac: "Mac OS",
  macos: "Mac OS",
  macintosh: "Mac OS",
  "gnu/linux": "Linux",
  "android os": "Android",
  ipados: "iOS",
  "chrome os": "Chromium OS",
};
const DEVICES: Readonly<Record<string, string>> = {
  desktop: "Desktop",
  // User agents do not distinguish laptops from desktops.
  laptop: "Desktop",
  mobile: "Mobile",
  tablet: "Tablet",
  "smart tv": "TV or console",
};

const mapped = (names: Readonly<Record<string, string>>, name: string): string => {
  const key = name.toLowerCase();
  return Object.hasOwn(names, key) ? (names[key] as string) : name;
};

export const browserOf = (name: string): string => mapped(BROWSERS, name);
/** Removes the version of Windows, which some services include in the name. */
export const systemOf = (name: string): string => (/^windows\b/i.test(name) ? "Windows" : mapped(SYSTEMS, name));
export const deviceOf = (name: string): string => mapped(DEVICES, name);
