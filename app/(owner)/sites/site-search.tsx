import Form from "next/form";
import { Search } from "@/components/ui/icons";
import type { Sort } from "@/lib/sites/site-list";

/** Search form of the site list, by name and domain. Works without JavaScript. */
export const SiteSearch = ({ search, sort }: { search: string; sort: Sort }) => (
  <Form action="/sites" role="search" className="relative min-w-0 flex-1">
    <Search className="pointer-events-none absolute top-3 left-3 size-4 text-muted" />
    <input
      key={search}
      type="search"
      name="q"
      defaultValue={search}
      maxLength={255}
      aria-label="Search your sites"
      placeholder="Name or domain"
      className="h-10 w-full rounded-lg sm:w-56 border border-line-strong bg-surface pr-3 pl-9 text-ink placeholder:text-muted/70"
    />
    {sort !== "name" && <input type="hidden" name="sort" value={sort} />}
  </Form>
);
