"use client";

import { type ReactNode, useState } from "react";

interface Props {
  /** The searchable text of each, in lower case. */
  all: { words: string; content: ReactNode }[];
}

/** Operations with a search box. */
export function Filter({ all }: Props) {
  const [query, setQuery] = useState("");
  const terms = query.toLowerCase().split(/\s+/);
  const matches = (words: string) => terms.every((term) => words.includes(term));
  const shown = all.filter(({ words }) => matches(words)).length;
  return (
    <>
      <search className="block max-w-[30rem]">
        <label htmlFor="find" className="mb-1.5 block text-sm font-medium">
          Find an operation
        </label>
        <input
          id="find"
          type="search"
          value={query}
          onChange={({ target }) => setQuery(target.value)}
          placeholder="domain, analytics:read, timezone …"
          autoComplete="off"
          className="h-10 w-full rounded-lg border border-line-strong bg-surface px-3 text-ink placeholder:text-muted"
        />
        <p role="status" className="mt-1.5 text-sm text-muted">
          {shown < all.length && `${shown} of `}
          {all.length} operations
        </p>
      </search>
      {all.map(({ words, content }) => (
        <div key={words} hidden={!matches(words)}>
          {content}
        </div>
      ))}
    </>
  );
}
