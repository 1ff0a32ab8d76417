import type { Metadata } from "next";
import { DocsArticle } from "@/components/docs/article";
import { Filter } from "@/components/docs/filter";
import { OperationEntry } from "@/components/docs/operation";
import { PLACEHOLDER_ORIGIN } from "@/components/docs/origin";
import { InlineText, Term } from "@/components/docs/prose";
import type { AnyOperation } from "@/lib/contract/define";
import { OPERATIONS } from "@/lib/operations/index";
import { ERRORS, type ErrorCode } from "@/lib/platform/errors";
import { apiArticle } from "@/lib/publish/articles/api";
import { parametersOf } from "@/lib/publish/reference";
import { REFUSALS } from "@/lib/publish/refusals";

export const metadata: Metadata = { title: "API reference" };

export default function ApiDocs() {
  const all = [...OPERATIONS.values()].map((op) => ({ words: searchText(op), content: <OperationEntry op={op} /> }));
  const slots = { operations: <Filter all={all} />, errors: <Errors /> };
  return <DocsArticle article={apiArticle(PLACEHOLDER_ORIGIN)} slots={slots} />;
}

/** Each error with an id of its own, so that pages of operations can link to it. */
const Errors = () => (
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
);

/** The text in which the search looks. */
const searchText = (op: AnyOperation): string =>
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
