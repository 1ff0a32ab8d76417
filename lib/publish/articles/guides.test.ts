import { expect, test } from "vitest";
import { SERVICE_GUIDES, SERVICE_TITLES } from "@/lib/contract/import-services";
import { allArticles } from "@/lib/publish/articles/all";

test("the guide of each service that can be imported names it, and says how to get its history and what is taken over", () => {
  const articles = new Map(
    allArticles("https://stats.example.com").map((article) => [`/docs/${article.slug}`, article]),
  );
  for (const [service, address] of Object.entries(SERVICE_GUIDES)) {
    const article = articles.get(address);
    const title = SERVICE_TITLES[service as keyof typeof SERVICE_TITLES];
    expect([service, article?.title]).toEqual([service, expect.stringContaining(title)]);
    const ids = article?.parts.map(({ id }) => id) ?? [];
    // Two services that share a guide have a part each.
    expect(ids).toContain(address === "/docs/from-others" ? service.replace("_", "-") : "history");
    const terms = article?.parts.flatMap(({ blocks }) =>
      blocks.flatMap((block) => (block.kind === "terms" ? block.rows : [])),
    );
    if (ids.includes("history")) {
      const names = terms?.map(([name]) => name);
      expect([service, names]).toEqual([service, expect.arrayContaining(["Taken over", "Not taken over"])]);
    }
  }
});
