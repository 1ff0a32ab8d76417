import { Field } from "@/components/ui/field";
import { Switch } from "@/components/ui/switch";
import { PAGE_LABELS, type SiteShape } from "@/lib/contract/fields";

interface Props {
  site: Pick<SiteShape, "trailing_slashes" | "page_query">;
  problem: string | undefined;
}

/** What makes a page: a slash at the end of its path, and parameters of its query. */
export const PageSettings = ({ site, problem }: Props) => (
  <>
    <Switch
      name="merge_slashes"
      label={PAGE_LABELS.trailing_slashes}
      hint="/pricing and /pricing/ are one page: in all reports, past days included, and in filters, goals, funnels and exclusions."
      defaultChecked={site.trailing_slashes === "same_page"}
    />
    <Field
      label={PAGE_LABELS.page_query}
      name="page_query"
      defaultValue={site.page_query.join(", ")}
      placeholder="p, page_id"
      autoComplete="off"
      spellCheck={false}
      optional
      hint="Only if your pages differ by their query, such as /?p=12 and /?p=13 in WordPress with plain permalinks: p, page_id. From now on, these are a part of the path; all others are dropped. For addresses such as /index.php?/archives/12, write /."
      problem={problem}
    />
  </>
);
