import { Fragment, type ReactNode } from "react";
import { OwnOrigin } from "@/components/docs/own-origin";

/** A text with code in backticks and links written as `[label](href)`. */
export function Words({ children }: { children: string }): ReactNode {
  return children.split(/(`[^`]*`|\[[^\]]+\]\([^)\s]+\))/).map((part, index) => {
    const key = `${index}`;
    if (index % 2 === 0) return <Fragment key={key}>{part}</Fragment>;
    const [, label, href] = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part) ?? [];
    if (label === undefined || href === undefined)
      return (
        <Term key={key}>
          <OwnOrigin text={part.slice(1, -1)} />
        </Term>
      );
    return (
      <a key={key} href={href} className="font-medium text-accent underline underline-offset-2">
        {label}
      </a>
    );
  });
}

/** Code within a sentence. */
export function Term({ children }: { children: ReactNode }) {
  return (
    <code className="rounded bg-sunken px-1 py-0.5 font-mono text-[0.85em] [overflow-wrap:anywhere]">{children}</code>
  );
}

/** A heading that links to itself. */
export function Anchor({ id, children, look = "text-xl" }: { id: string; children: ReactNode; look?: string }) {
  return (
    <h2 id={id} className={`scroll-mt-6 font-semibold ${look}`}>
      <a href={`#${id}`} className="rounded-sm hover:underline hover:decoration-line-strong hover:underline-offset-4">
        {children}
      </a>
    </h2>
  );
}

/** A page of the docs with title, lead and parts. */
export function DocsPage({ title, lead, children }: { title: string; lead: ReactNode; children: ReactNode }) {
  return (
    <>
      <h1 className="text-3xl font-semibold tracking-tight">{title}</h1>
      <p className="mt-3 max-w-[42rem] text-lg text-muted">{lead}</p>
      <div className="mt-8 space-y-10">{children}</div>
    </>
  );
}

/** A section of a page. Text has a readable width. */
export function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className="space-y-3 [&>ol]:max-w-[42rem] [&>p]:max-w-[42rem] [&>ul]:max-w-[42rem]">
      <Anchor id={id}>{title}</Anchor>
      {children}
    </section>
  );
}
