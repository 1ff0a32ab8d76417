import type { ReactNode } from "react";
import { Check, Cross } from "@/components/ui/icons";
import type { InstallationTest } from "@/lib/sites/check/runs";

type State = "ahead" | "going" | "done" | "failed";

/** How far a test is: the page is read, the snippet is found, the event arrives. */
export function TestSteps({ test }: { test: InstallationTest }) {
  const [read, found, arrived] = statesOf(test);
  const url = test.page?.url.replace(/[?#].*$/, "");
  return (
    <ol className="space-y-2.5" aria-label="Steps of the test">
      <Step state={read}>
        {read === "failed" ? "The page could not be used" : read === "done" ? "The page was read" : "Read the page"}
        {url && <span className="block break-all text-muted">{url}</span>}
      </Step>
      <Step state={found}>{found === "failed" ? "The snippet does not work there" : "Look for the snippet"}</Step>
      <Step state={arrived}>{arrived === "done" ? "Its event arrived" : "Wait for its event"}</Step>
    </ol>
  );
}

/** By these a test ends before anything was found on the page. */
const UNREAD = ["page_unreachable", "page_error", "not_html", "left_domain"];

function statesOf({ status, findings, event }: InstallationTest): [State, State, State] {
  const unread = findings.some(({ code }) => UNREAD.includes(code));
  const wrong = findings.some(({ code, severity }) => severity === "error" && code !== "event_missing");
  if (unread) return ["failed", "ahead", "ahead"];
  if (status === "queued" || status === "fetching")
    return [status === "fetching" ? "going" : "ahead", "ahead", "ahead"];
  if (findings.length === 0) return ["ahead", "ahead", "ahead"];
  if (status === "waiting") return ["done", wrong ? "failed" : "done", "going"];
  return ["done", wrong ? "failed" : "done", event ? "done" : status === "stopped" ? "ahead" : "failed"];
}

const LOOKS: Record<State, string> = {
  ahead: "border border-line text-muted",
  going: "border-2 border-accent border-t-transparent motion-safe:animate-spin",
  done: "bg-good text-surface",
  failed: "bg-bad text-surface",
};
const WORDS: Record<State, string> = { ahead: "to come", going: "going on", done: "done", failed: "failed" };

const Step = ({ state, children }: { state: State; children: ReactNode }) => (
  <li className="flex items-start gap-3 text-sm">
    <span className={`mt-px grid size-5 shrink-0 place-items-center rounded-full ${LOOKS[state]}`} aria-hidden="true">
      {state === "done" && <Check className="size-3.5" />}
      {state === "failed" && <Cross className="size-3.5" />}
    </span>
    <span className={`min-w-0 ${state === "ahead" ? "text-muted" : ""}`}>
      {children}
      <span className="sr-only"> ({WORDS[state]})</span>
    </span>
  </li>
);
