import type { ReactNode } from "react";
import { ButtonLink } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";

interface Props {
  title: string;
  children: ReactNode;
  /** Example code for the site's pages. */
  code?: string;
  docs: { href: string; label: string };
}

/** Empty state of a report, with instructions how to collect its data. */
export function EmptyReport({ title, children, code, docs }: Props) {
  return (
    <section className="card px-5 py-10 text-center">
      <div className="mx-auto max-w-xl">
        <h2 className="text-lg font-semibold">{title}</h2>
        <div className="mt-1 text-muted">{children}</div>
        {code && (
          <div className="mt-5 rounded-lg border border-line bg-sunken text-left">
            <pre className="px-3.5 py-3 font-mono text-[0.8125rem] leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]">
              <code>{code}</code>
            </pre>
            <div className="flex justify-end border-t border-line p-2">
              <CopyButton text={code} what="the example" />
            </div>
          </div>
        )}
        <p className="mt-5">
          <ButtonLink href={docs.href} look="quiet" prefetch={false}>
            {docs.label}
          </ButtonLink>
        </p>
      </div>
    </section>
  );
}
