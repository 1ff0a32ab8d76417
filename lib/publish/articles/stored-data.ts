import { type Article, heading, part, terms, text } from "@/lib/publish/articles/article";
import { STORED, type StoredGroup } from "@/lib/sites/record/stored-fields";

const BY_RETENTION =
  "Deleted after the months that you choose under Settings, Data; without a limit, when you delete the site.";

/** How long a group is kept where it depends on the site. */
const keptOf = ({ kept }: StoredGroup): string =>
  kept({ retention_months: null }) === kept({ retention_months: 12 }) ? kept({ retention_months: null }) : BY_RETENTION;

/** Every field, derived from what the code stores. */
const storedBlocks = STORED.flatMap((group) => [
  heading(group.title),
  text(`${keptOf(group)}${group.applies ? " Only if the site recognises returning visitors." : ""}`),
  terms(Object.entries(group.fields)),
]);

export const storedDataArticle = (_base: string): Article => ({
  slug: "stored-data",
  title: "Stored data",
  lead: "Every field that is stored of visitors, and for how long.",
  index: "every stored field of visitors and how long it is kept",
  parts: [
    part(
      "fields",
      "Every field",
      text(
        "This list is checked against the tables of the database whenever the code changes. The record of a site (Settings, Privacy) has the fields that its settings leave. [Privacy](/docs/privacy) says what is never stored.",
      ),
      ...storedBlocks,
    ),
  ],
});
