import type { ReactNode } from "react";
import { LazyCodeBlock } from "@/components/reports/parts/lazy-parts";
import { Boundary } from "@/components/ui/boundary";
import { ButtonLink } from "@/components/ui/button-link";
import { t } from "@/lib/texts/translate";

interface Props {
  title: string;
  children: ReactNode;
  /** Example code for the site's pages. */
  code?: string;
  /** Where more is said; null for readers who cannot open it. */
  docs: { href: string; label: string } | null;
}

/** Empty state of a report, with instructions how to collect its data. */
export function EmptyReport({ title, children, code, docs }: Props) {
  return (
    <section className="card px-5 py-10 text-center">
      <div className="mx-auto max-w-xl">
        <h2 className="text-lg font-semibold">{title}</h2>
        <div className="mt-1 text-muted">{children}</div>
        {code && (
          <div className="mt-5 text-left">
            <Boundary what={t("the example")}>
              <LazyCodeBlock text={code} what={t("the example")} />
            </Boundary>
          </div>
        )}
        {docs && (
          <p className="mt-5">
            <ButtonLink href={docs.href} look="quiet">
              {docs.label}
            </ButtonLink>
          </p>
        )}
      </div>
    </section>
  );
}
