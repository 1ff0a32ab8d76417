import { page, sendEvent } from "@/lib/tracker/pages";
import type { Plugin, Settings } from "@/lib/tracker/send";

/** Tracks site searches and "not found" pages. */

/** Sends a search when its term is new: paging through results and going back send nothing. */
export function watchSearch({ search = "q s search query" }: Settings): Plugin {
  const names = search.split(" ");
  const termIn = (query?: string) => {
    const params = new URLSearchParams(query);
    return names.map((name) => params.get(name)?.trim()).find(Boolean);
  };
  const [referrer, query] = document.referrer.split("?");
  let lastTerm = referrer?.startsWith(`${location.origin}/`) ? termIn(query) : undefined;
  return (leaving) => {
    if (leaving) return;
    const term = termIn(location.search);
    if (term && term !== lastTerm) sendEvent("Search", { props: { term } });
    lastTerm = term;
  };
}

/** Sends an event for pages with an element with `data-404`, which may be the script's own tag. */
export function watchMissing(): Plugin {
  let checkedPage: typeof page;
  return (leaving) => {
    if (leaving || checkedPage === page) return;
    checkedPage = page;
    if (document.querySelector("[data-404]"))
      sendEvent("404", { props: { path: location.pathname }, interactive: false });
  };
}
