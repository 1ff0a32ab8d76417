import { CodeBlock } from "@/components/docs/code";
import { Parameters } from "@/components/docs/parameters";
import { InlineText, Part, Term } from "@/components/docs/prose";
import { RISKS, ROLES, SCOPES } from "@/lib/contract/access";
import type { AnyOperation } from "@/lib/contract/define";
import { ERRORS } from "@/lib/platform/errors";
import { answerOf, curlOf, methodOf, operationPath, parametersOf } from "@/lib/publish/reference";
import { refusalsOf } from "@/lib/publish/refusals";

/** An operation in the list: its purpose and who may call it, with a link to its page. */
export function OperationEntry({ op }: { op: AnyOperation }) {
  return (
    <article className="mt-6 space-y-1.5 border-t border-line pt-5">
      <h2 id={op.id} className="scroll-mt-6 font-mono text-lg font-semibold [overflow-wrap:anywhere]">
        <a href={`/docs/api/${op.id}`} className="rounded-sm text-accent hover:underline hover:underline-offset-4">
          {op.id}
        </a>
      </h2>
      <p className="max-w-[42rem]">
        <span className="font-medium">{op.title}.</span> <InlineText>{op.about}</InlineText>
      </p>
      <p className="text-sm text-muted">
        <Term>{methodOf(op)}</Term> Scope <Term>{op.scope}</Term>, role <Term>{op.role}</Term>
        {RISKS[op.risk].needsApproval && ", needs approval"}
      </p>
    </article>
  );
}

/** The page of an operation, derived from the registry. */
export function OperationDocs({ op, baseUrl }: { op: AnyOperation; baseUrl: string }) {
  const { about, needsApproval } = RISKS[op.risk];
  return (
    <>
      <div className="space-y-4">
        <p className="font-mono text-[0.8125rem] [overflow-wrap:anywhere]">
          <span className="mr-2 rounded bg-accent-soft px-1.5 py-0.5 font-semibold text-accent-strong">
            {methodOf(op)}
          </span>
          {operationPath(op)}
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
          <li>{needsApproval ? "Needs a human's approval of exactly this call" : "Needs no approval"}</li>
        </ul>
      </div>
      <Part id="parameters" title="Parameters">
        <Parameters parameters={parametersOf(op)} name={`Parameters of ${op.id}`} />
      </Part>
      <Part id="call" title="Call">
        <CodeBlock text={curlOf(op, baseUrl)} what={`the example request of ${op.id}`} />
      </Part>
      <Part id="answer" title="Answer">
        <CodeBlock text={answerOf(op)} what={`the answer of ${op.id}`} copy={false} />
      </Part>
      <Part id="refusals" title="Errors">
        <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
          {refusalsOf(op).map((code) => (
            <li key={code}>
              <a href={`/docs/api#error-${code}`} className="text-accent underline underline-offset-2">
                {ERRORS[code]} {code}
              </a>
            </li>
          ))}
        </ul>
      </Part>
    </>
  );
}
