import type { Metadata } from "next";
import { Filter } from "@/components/docs/filter";
import { OperationEntry } from "@/components/docs/operation";
import { DocsPage, InlineText, Part, Term } from "@/components/docs/prose";
import type { AnyOperation } from "@/lib/contract/define";
import { OPERATIONS } from "@/lib/operations/index";
import { ERRORS, type ErrorCode } from "@/lib/platform/errors";
import { parametersOf } from "@/lib/publish/reference";
import { REFUSALS } from "@/lib/publish/refusals";

export const metadata: Metadata = { title: "API reference" };

export default function ApiDocs() {
  const all = [...OPERATIONS.values()].map((op) => ({ words: wordsOf(op), content: <OperationEntry op={op} /> }));
  return (
    <DocsPage
      title="API reference"
      lead="Every operation there is. What one needs, takes and answers is told from the same source that decides it."
    >
      <div>
        <Filter all={all} />
      </div>
      <Part id="errors" title="Errors">
        <p>
          <Term>{'{"error": {"code", "message", "details"?}, "operationId"?, "request_id"}'}</Term>. Decide by the code;
          the message says in a sentence what to do.
        </p>
        <dl className="divide-y divide-line rounded-lg border border-line text-sm">
          {(Object.keys(ERRORS) as ErrorCode[]).map((code) => (
            <div
              key={code}
              id={`error-${code}`}
              className="gap-4 px-3.5 py-2 target:bg-accent-soft sm:grid sm:grid-cols-[14rem_1fr]"
            >
              <dt className="[overflow-wrap:anywhere]">
                <span className="tabular-nums">{ERRORS[code]}</span> <Term>{code}</Term>
              </dt>
              <dd className="mt-1 sm:mt-0">
                <InlineText>{REFUSALS[code].about}</InlineText>
              </dd>
            </div>
          ))}
        </dl>
      </Part>
    </DocsPage>
  );
}

/** What an operation is found by. */
const wordsOf = (op: AnyOperation): string =>
  [
    op.id,
    op.title,
    op.about,
    op.scope,
    op.role,
    op.risk,
    ...parametersOf(op).flatMap(({ name, about }) => [name, about]),
  ]
    .join(" ")
    .toLowerCase();
