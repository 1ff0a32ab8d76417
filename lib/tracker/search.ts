import { page, tell } from "@/lib/tracker/pages";
import type { Part, Settings } from "@/lib/tracker/send";

/** What the address of a page tells: that something was searched for, and that the page is one for "not found". */

/** The next page of results and the way back to them are no new search. */
export function watchSearch({ search = "q s search query" }: Settings): Part {
  const names = search.split(" ");
  const termIn = (query?: string) => {
    const given = new URLSearchParams(query);
    return names.map((name) => given.get(name)?.trim()).find(Boolean);
  };
  const [before, query] = document.referrer.split("?");
  let known = before?.startsWith(`${location.origin}/`) ? termIn(query) : undefined;
  return (leaving) => {
    if (leaving) return;
    const term = termIn(location.search);
    if (term && term !== known) tell("Search", { props: { term } });
    known = term;
  };
}

/** Any element with `data-404`, the script's own tag included, says that the page is not there. */
export function watchMissing(): Part {
  let looked: typeof page;
  return (leaving) => {
    if (leaving || looked === page) return;
    looked = page;
    if (document.querySelector("[data-404]")) tell("404", { props: { path: location.pathname }, interactive: false });
  };
}
