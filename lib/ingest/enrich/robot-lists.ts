import type { Purpose } from "@/lib/ingest/event/verdict";

/**
 * Publicly known agents of AI products, by user agent token; names compared with the project ai.robots.txt (MIT). Some
 * names in robots.txt are never sent as a user agent (Google-Extended, Applebot-Extended): such crawlers come as
 * Googlebot and Applebot.
 */
export const AI_AGENTS_DATE = "2026-11-20";

type KnownRobot = readonly [token: string, operator: string, purpose: Purpose];

export const AI_AGENTS: readonly KnownRobot[] = [
  ["GPTBot", "OpenAI", "training"],
  ["OAI-SearchBot", "OpenAI", "search"],
  ["ChatGPT-User", "OpenAI", "assistant"],
  ["ChatGPT Agent", "OpenAI", "agent"],
  ["ClaudeBot", "Anthropic", "training"],
  ["Claude-User", "Anthropic", "assistant"],
  ["Claude-SearchBot", "Anthropic", "search"],
  ["Claude-Web", "Anthropic", "crawler"],
  ["Claude-Code", "Anthropic", "agent"],
  ["anthropic-ai", "Anthropic", "training"],
  ["PerplexityBot", "Perplexity", "search"],
  ["Perplexity-User", "Perplexity", "assistant"],
  ["Google-CloudVertexBot", "Google", "crawler"],
  ["GoogleOther", "Google", "crawler"],
  ["Gemini-Deep-Research", "Google", "assistant"],
  ["Google-NotebookLM", "Google", "assistant"],
  ["GoogleAgent-Mariner", "Google", "agent"],
  ["AzureAI-SearchBot", "Microsoft", "search"],
  ["Bytespider", "ByteDance", "training"],
  ["TikTokSpider", "ByteDance", "crawler"],
  ["CCBot", "Common Crawl", "training"],
  ["Amazonbot", "Amazon", "crawler"],
  ["Amzn-SearchBot", "Amazon", "search"],
  ["Amzn-User", "Amazon", "assistant"],
  ["AmazonBuyForMe", "Amazon", "agent"],
  ["bedrockbot", "Amazon", "crawler"],
  ["Applebot", "Apple", "search"],
  ["Meta-ExternalAgent", "Meta", "training"],
  ["Meta-ExternalFetcher", "Meta", "assistant"],
  ["Meta-WebIndexer", "Meta", "search"],
  ["FacebookBot", "Meta", "training"],
  ["MistralAI-User", "Mistral AI", "assistant"],
  ["DuckAssistBot", "DuckDuckGo", "assistant"],
  ["cohere-ai", "Cohere", "assistant"],
  ["cohere-training-data-crawler", "Cohere", "training"],
  ["DeepSeekBot", "DeepSeek", "training"],
  ["ChatGLM-Spider", "Zhipu AI", "training"],
  ["PanguBot", "Huawei", "training"],
  ["PetalBot", "Huawei", "search"],
  ["AI2Bot", "Ai2", "training"],
  ["Diffbot", "Diffbot", "crawler"],
  ["YouBot", "You.com", "search"],
  ["PhindBot", "Phind", "search"],
  ["Andibot", "Andi", "search"],
  ["iAskBot", "iAsk", "search"],
  ["Timpibot", "Timpi", "training"],
  ["ICC-Crawler", "NICT", "training"],
  ["ImagesiftBot", "The Hive", "training"],
  ["Kangaroo Bot", "Kangaroo LLM", "training"],
  ["omgili", "Webz.io", "training"],
  ["webzio-extended", "Webz.io", "training"],
  ["FirecrawlAgent", "Firecrawl", "assistant"],
  ["TavilyBot", "Tavily", "search"],
  ["LinkupBot", "Linkup", "search"],
  ["kagi-fetcher", "Kagi", "assistant"],
  ["Cloudflare-AutoRAG", "Cloudflare", "crawler"],
  ["atlassian-bot", "Atlassian", "assistant"],
  ["Manus-User", "Manus", "agent"],
];

/** Crawlers of search engines whose operators document how to verify them, by user agent token. */
export const SEARCH_ENGINES_DATE = "2026-11-20";

export const SEARCH_ENGINES: readonly KnownRobot[] = [
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
