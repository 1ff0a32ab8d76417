import type { ReactNode } from "react";

/** A page that shows only a title and a short message, such as an error. */
export function Message({ over, title, children }: { over?: string; title: string; children: ReactNode }) {
  return (
    <div className="mx-auto max-w-md px-4 py-20 text-center">
      {over && <p className="text-sm font-medium text-muted tabular-nums">{over}</p>}
      <h1 className="mt-1 text-2xl font-semibold">{title}</h1>
      <div className="mt-2 space-y-6 text-muted">{children}</div>
    </div>
  );
}
