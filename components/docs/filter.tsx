"use client";

import { createContext, type ReactNode, useContext, useId, useState } from "react";

const Query = createContext("");

const matches = (words: string, query: string) =>
  query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word));

/** A search box over `Filterable`s. Without scripts it is a form that asks the server for the same. */
export function Filter({ initial, all, children }: { initial: string; all: string[]; children: ReactNode }) {
  const [query, setQuery] = useState(initial);
  const id = useId();
  const found = all.filter((words) => matches(words, query)).length;
  return (
    <Query value={query}>
      <search>
        <form onSubmit={(event) => event.preventDefault()} className="max-w-[30rem]">
          <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
            Find an operation
          </label>
          <input
            id={id}
            type="search"
            name="q"
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            placeholder="domain, analytics:read, timezone …"
            autoComplete="off"
            className="h-10 w-full rounded-lg border border-line-strong bg-surface px-3 text-ink placeholder:text-muted"
          />
          <p role="status" className="mt-1.5 text-sm text-muted">
            {found === all.length ? `${found} operations` : `${found} of ${all.length} operations`}
          </p>
        </form>
      </search>
      {children}
    </Query>
  );
}

/** Something that is shown while the query is found in its words, which are in lower case. */
export function Filterable({ words, children }: { words: string; children: ReactNode }) {
  const query = useContext(Query);
  return <div hidden={!matches(words, query)}>{children}</div>;
}
