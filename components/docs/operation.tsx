import type { ReactNode } from "react";
import { Code } from "@/components/docs/code";
import { Parameters } from "@/components/docs/parameters";
import { Anchor, Term, Words } from "@/components/docs/prose";
import type { AnyOperation } from "@/lib/contract/define";
import { ERRORS } from "@/lib/contract/errors";
import { RISKS, ROLES, SCOPES } from "@/lib/contract/vocabulary";
import { answerOf, curlOf, methodOf, parametersOf, pathOf } from "@/lib/publish/reference";
import { refusalsOf } from "@/lib/publish/refusals";

/** One operation of the API, told from the registry. */
export function OperationDocs({ op, baseUrl }: { op: AnyOperation; baseUrl: string }) {
  const { about, asksHuman } = RISKS[op.risk];
  return (
    <article className="mt-10 space-y-4 border-t border-line pt-6">
      <div>
        <Anchor id={op.id} look="font-mono text-lg [overflow-wrap:anywhere]">
          {op.id}
        </Anchor>
        <p className="mt-1 max-w-[42rem]">
          <span className="font-medium">{op.title}.</span> <Words>{op.about}</Words>
        </p>
      </div>
      <p className="font-mono text-[0.8125rem] [overflow-wrap:anywhere]">
        <span className="mr-2 rounded bg-accent-soft px-1.5 py-0.5 font-semibold text-accent-strong">
          {methodOf(op)}
        </span>
        {pathOf(op)}
      </p>
      <ul className="space-y-1 text-sm text-muted">
        <li>
          Scope <Term>{op.scope}</Term>: {SCOPES[op.scope]}
        </li>
        <li>
          Role <Term>{op.role}</Term>: {ROLES[op.role].about}
        </li>
        <li>
          Risk <Term>{op.risk}</Term>: {about}
        </li>
        <li>{asksHuman ? "Asks a human first, who must agree to exactly this call" : "Asks no human"}</li>
      </ul>
      <Parameters parameters={parametersOf(op)} name={`Parameters of ${op.id}`} />
      <Code text={curlOf(op, baseUrl)} what={`the call of ${op.id}`} />
      <Disclosure title="An answer" about={op.id}>
        <Code text={answerOf(op)} what={`the answer of ${op.id}`} copy={false} />
      </Disclosure>
      <Disclosure title="Errors" about={op.id}>
        <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
          {refusalsOf(op).map((code) => (
            <li key={code}>
              <a href={`#error-${code}`} className="text-accent underline underline-offset-2">
                {ERRORS[code]} {code}
              </a>
            </li>
          ))}
        </ul>
      </Disclosure>
    </article>
  );
}

function Disclosure({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  return (
    <details>
      <summary className="w-fit rounded-md text-sm font-medium text-muted hover:text-ink">
        {title}
        <span className="sr-only"> of {about}</span>
      </summary>
      <div className="mt-2">{children}</div>
    </details>
  );
}
