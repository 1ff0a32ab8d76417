import type { ReactNode } from "react";

const matches = (words: string, query: string) =>
  query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word));

interface Props {
  query: string;
  /** What each is found by, in lower case. */
  all: { words: string; content: ReactNode }[];
}

/** Operations, with a search box over them. It is a form that asks the server; docs-script.tsx does the same while one types. */
export function Filter({ query, all }: Props) {
  const shown = all.filter(({ words }) => matches(words, query)).length;
  return (
    <>
      <search>
        <form className="max-w-[30rem]">
          <label htmlFor="find" className="mb-1.5 block text-sm font-medium">
            Find an operation
          </label>
          <input
            id="find"
            type="search"
            name="q"
            defaultValue={query}
            data-filters="found"
            placeholder="domain, analytics:read, timezone …"
            autoComplete="off"
            className="h-10 w-full rounded-lg border border-line-strong bg-surface px-3 text-ink placeholder:text-muted"
          />
          <p id="found" role="status" className="mt-1.5 text-sm text-muted">
            {shown < all.length && `${shown} of `}
            {all.length} operations
          </p>
        </form>
      </search>
      {all.map(({ words, content }) => (
        <div key={words} data-words={words} hidden={!matches(words, query)}>
          {content}
        </div>
      ))}
    </>
  );
}
