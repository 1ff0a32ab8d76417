"use client";

import { createContext, type ReactNode, use, useState } from "react";
import type { PanelsAnswer, QueryResult } from "@/components/reports/answers";
import { useSiteBasePath } from "@/components/reports/filtering";
import { useLive } from "@/components/reports/live-numbers";
import { useFetched } from "@/components/reports/use-fetched";
import { useReportQuery } from "@/components/reports/use-report-query";
import { useWaiting } from "@/components/reports/view-frame";

/** The lists of the current view, or of the previous view while they load. */
interface Lists {
  result: Promise<QueryResult<PanelsAnswer>> | QueryResult<PanelsAnswer> | null;
  /** Whether the lists belong to another view. */
  waiting: boolean;
}

const Shown = createContext<Lists>({ result: null, waiting: false });

interface Props {
  /** The answer that the page was rendered with; null if there was none. */
  first: Promise<QueryResult<PanelsAnswer>> | null;
  children: ReactNode;
}

/**
 * Provides the lists of a dashboard for the current view. The first ones come with the page. After a change of the view
 * they are fetched once its numbers are shown (which load ten times faster); a further change aborts the request.
 */
export function ListsOfView({ first, children }: Props) {
  const url = `${useSiteBasePath()}/data/panels?${useReportQuery({ compared: true })}`;
  const { readAt } = useLive();
  const [initial] = useState(first);
  const [request, setRequest] = useState({ url, readAt });
  // The fragment is not sent: it only makes a later request of the same URL a new one.
  const versionedUrl = `${request.url}#${request.readAt}`;
  const { answerUrl, waiting, ...fetched } = useFetched<PanelsAnswer>(useWaiting() ? null : versionedUrl, {
    pauseMs: 0,
    known: first !== null,
  });
  // A refresh of the same view waits for the running request: with slow answers none would ever finish otherwise.
  if (request.url !== url || (request.readAt < readAt && !waiting)) setRequest({ url, readAt });
  const result = resultOf(fetched) ?? initial;
  return <Shown value={{ result, waiting: answerUrl?.split("#")[0] !== url }}>{children}</Shown>;
}

type FetchedPanels = Pick<ReturnType<typeof useFetched<PanelsAnswer>>, "answer" | "problem" | "failed" | "retry">;

function resultOf({ answer, problem, failed, retry }: FetchedPanels): QueryResult<PanelsAnswer> | null {
  if (problem !== null) return { ok: false, message: problem, ...(failed && { retry }) };
  return answer && { ok: true, answer };
}

/** Returns the lists to show, or null before the first answer. Suspends until the lists of the page have arrived. */
export function useLists(): QueryResult<PanelsAnswer> | null {
  const { result } = use(Shown);
  return result && "then" in result ? use(result) : result;
}

/** Container for lists, dimmed while they belong to another view. */
export function ListsFrame({ children, className = "" }: { children: ReactNode; className?: string }) {
  const another = useWaiting();
  const waiting = use(Shown).waiting || another;
  return (
    <div className={`${className} ${waiting ? "is-waiting" : ""}`} aria-busy={waiting}>
      {children}
    </div>
  );
}
