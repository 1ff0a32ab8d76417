import { InlineText, Term } from "@/components/docs/prose";
import type { Parameter } from "@/lib/publish/reference";

/** Fields with type and description: a table, stacked on a phone. */
export function Parameters({ parameters, name }: { parameters: Parameter[]; name: string }) {
  if (parameters.length === 0) return <p className="text-sm text-muted">No parameters.</p>;
  return (
    <dl aria-label={name} className="divide-y divide-line rounded-lg border border-line text-sm">
      {parameters.map(({ name, type, required, about }) => (
        <div key={name} className="gap-4 px-3.5 py-2 sm:grid sm:grid-cols-[12rem_1fr]">
          <dt className="[overflow-wrap:anywhere]">
            <Term>{name}</Term>
            {required && <span className="ml-2 text-[0.8125rem] font-medium text-accent">required</span>}
          </dt>
          <dd className="mt-1 min-w-0 [overflow-wrap:anywhere] sm:mt-0">
            {about && (
              <p>
                <InlineText>{about}</InlineText>
              </p>
            )}
            <p className="text-muted">{type}</p>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Terms with their explanations. */
export function Glossary({ rows }: { rows: readonly (readonly [term: string, about: string])[] }) {
  return (
    <dl className="divide-y divide-line rounded-lg border border-line text-sm">
      {rows.map(([term, about]) => (
        <div key={term} className="gap-4 px-3.5 py-2 sm:grid sm:grid-cols-[14rem_1fr]">
          <dt className="[overflow-wrap:anywhere]">
            <Term>{term}</Term>
          </dt>
          <dd className="mt-1 min-w-0 text-muted [overflow-wrap:anywhere] sm:mt-0">
            <InlineText>{about}</InlineText>
          </dd>
        </div>
      ))}
    </dl>
  );
}
