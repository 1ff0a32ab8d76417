import type { ReactNode } from "react";

/** A list of name–value pairs. */
export const Facts = ({ children }: { children: ReactNode }) => (
  <dl className="divide-y divide-line text-sm">{children}</dl>
);

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="grid gap-x-4 py-2.5 grid-cols-[6.5rem_1fr] sm:grid-cols-[9.5rem_1fr]">
    <dt className="text-muted">{name}</dt>
    <dd className="min-w-0 break-words">{children}</dd>
  </div>
);
