"use client";

import { createContext, type ReactNode, use, useState } from "react";
import type { Asked, PanelsAnswer } from "@/components/reports/answers";
import { useSiteAddress } from "@/components/reports/filtering";
import { useLive } from "@/components/reports/live-numbers";
import { useFetched } from "@/components/reports/use-fetched";
import { useQuestion } from "@/components/reports/use-question";
import { useWaiting } from "@/components/reports/view-frame";

/** The lists of the view that is shown, or of the last one while those are on their way. */
interface Lists {
  asked: Promise<Asked<PanelsAnswer>> | Asked<PanelsAnswer> | null;
  /** They are another view's. */
  waiting: boolean;
}

const Shown = createContext<Lists>({ asked: null, waiting: false });

interface Props {
  /** The answer that came with the page; null when none did. */
  first: Promise<Asked<PanelsAnswer>> | null;
  children: ReactNode;
}

/**
 * Keeps the lists of a dashboard true to its view. The first come with the page. From then on they are asked for once the
 * view's numbers are shown, which are there ten times sooner, and given up when another view is chosen.
 */
export function ListsOfView({ first, children }: Props) {
  const question = `${useSiteAddress()}/panels?${useQuestion()}`;
  const { at } = useLive();
  const [opened] = useState(first);
  const [turn, setTurn] = useState({ question, at });
  // What stands behind # is not sent: the same question at another moment.
  const address = `${turn.question}#${turn.at}`;
  const { of, waiting, ...fetched } = useFetched<PanelsAnswer>(useWaiting() ? null : address, {
    pauseMs: 0,
    known: first !== null,
  });
  // A later moment of the same view has to wait: where answers take long, none would ever come.
  if (turn.question !== question || (turn.at < at && !waiting)) setTurn({ question, at });
  const asked = settled(fetched) ?? opened;
  return <Shown value={{ asked, waiting: of?.split("#")[0] !== question }}>{children}</Shown>;
}

type Settled = Pick<ReturnType<typeof useFetched<PanelsAnswer>>, "answer" | "problem" | "failed" | "retry">;

function settled({ answer, problem, failed, retry }: Settled): Asked<PanelsAnswer> | null {
  if (problem !== null) return { ok: false, message: problem, ...(failed && { retry }) };
  return answer && { ok: true, answer };
}

/** The lists to show, null before any are there; suspends until those that come with the page have come. */
export function useLists(): Asked<PanelsAnswer> | null {
  const { asked } = use(Shown);
  return asked && "then" in asked ? use(asked) : asked;
}

/** Holds lists, and turns pale while they are another view's. */
export function ListsFrame({ children, className = "" }: { children: ReactNode; className?: string }) {
  const another = useWaiting();
  const waiting = use(Shown).waiting || another;
  return (
    <div className={`${className} ${waiting ? "is-waiting" : ""}`} aria-busy={waiting}>
      {children}
    </div>
  );
}
