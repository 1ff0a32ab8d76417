"use client";

import { useSearchParams } from "next/navigation";
import { createContext, type ReactNode, use, useState } from "react";
import { outcomesInLists, type PanelsAnswer, type QueryResult } from "@/components/reports/answers";
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
  /** The goal whose conversions the lists have; null without one. */
  goal: string | null;
}

const Shown = createContext<Lists>({ result: null, waiting: false, goal: null });

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
  const answered = answerUrl?.split("#")[0];
  return <Shown value={{ result, waiting: answered !== url, goal: goalIn(answered) }}>{children}</Shown>;
}

const goalIn = (url = ""): string | null => new URLSearchParams(url.split("?")[1]).get("goal");

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

/**
 * Returns what the rows of the page show that visits led to, separated by commas; null while none tells. It is the same for
 * all ranges and filters, and another for another goal.
 */
export function useOutcomesShown(): string | null {
  const result = useLists();
  const isOfGoal = use(Shown).goal === useSearchParams().get("goal");
  const outcomes = isOfGoal && result?.ok ? outcomesInLists(result.answer) : null;
  return outcomes?.join(",") ?? null;
}

/** Container for lists, dimmed while they belong to another view. */
export function ListsFrame({ children, className }: { children: ReactNode; className: string }) {
  const another = useWaiting();
  const waiting = use(Shown).waiting || another;
  return (
    <div className={`${className} ${waiting ? "is-waiting" : ""}`} aria-busy={waiting}>
      {children}
    </div>
  );
}
