import type { Purpose } from "@/lib/ingest/event/verdict";

/** Crawlers of search engines whose operators document how to verify them, by user agent token. */
export const SEARCH_ENGINES_DATE = "2026-11-20";

export const SEARCH_ENGINES: readonly (readonly [token: string, operator: string, purpose: Purpose])[] = [
  ["Googlebot", "Google", "search"],
  ["AdsBot-Google", "Google", "crawler"],
  ["Mediapartners-Google", "Google", "crawler"],
  ["Google-InspectionTool", "Google", "crawler"],
  ["bingbot", "Microsoft", "search"],
  ["DuckDuckBot", "DuckDuckGo", "search"],
  ["YandexBot", "Yandex", "search"],
  ["Baiduspider", "Baidu", "search"],
  ["Slurp", "Yahoo", "search"],
  ["SeznamBot", "Seznam", "search"],
  ["Yeti", "Naver", "search"],
  ["Qwantbot", "Qwant", "search"],
  ["MojeekBot", "Mojeek", "search"],
  ["Bravebot", "Brave", "search"],
  ["Kagibot", "Kagi", "search"],
  ["archive.org_bot", "Internet Archive", "crawler"],
];
