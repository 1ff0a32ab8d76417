import { Check, X } from "lucide-react";
import type { ReactNode } from "react";
import type { InstallationTest } from "@/lib/sites/check/runs";
import { msg, t } from "@/lib/texts/translate";

type State = "pending" | "running" | "done" | "failed";

/** Progress of a test: page loaded, snippet found, event received. */
export function TestSteps({ test }: { test: InstallationTest }) {
  const [read, found, arrived] = statesOf(test);
  const url = test.page?.url.replace(/[?#].*$/, "");
  return (
    <ol className="space-y-2.5" aria-label={t("Steps of the test")}>
      <TestStep state={read}>
        {read === "failed"
          ? t("The page could not be loaded")
          : read === "done"
            ? t("Page loaded")
            : t("Load the page")}
        {url && <span className="block break-all text-muted">{url}</span>}
      </TestStep>
      <TestStep state={found}>{found === "failed" ? t("The snippet does not work") : t("Check the snippet")}</TestStep>
      <TestStep state={arrived}>{arrived === "done" ? t("Event received") : t("Wait for the event")}</TestStep>
    </ol>
  );
}

/** Findings after which the page itself is not checked. */
const UNREAD = ["page_unreachable", "page_error", "not_html", "left_domain"];

function statesOf({ status, findings, event }: InstallationTest): [State, State, State] {
  const unread = findings.some(({ code }) => UNREAD.includes(code));
  const wrong = findings.some(({ code, severity }) => severity === "error" && code !== "event_missing");
  if (unread) return ["failed", "pending", "pending"];
  if (status === "queued" || status === "fetching")
    return [status === "fetching" ? "running" : "pending", "pending", "pending"];
  if (findings.length === 0) return ["pending", "pending", "pending"];
  if (status === "waiting") return ["done", wrong ? "failed" : "done", "running"];
  return ["done", wrong ? "failed" : "done", event ? "done" : status === "stopped" ? "pending" : "failed"];
}

const LOOKS: Record<State, string> = {
  pending: "border border-line text-muted",
  running: "border-2 border-accent border-t-transparent motion-safe:animate-spin",
  done: "bg-good text-surface",
  failed: "bg-bad text-surface",
};
const STATE_LABELS: Record<State, string> = {
  pending: msg("pending"),
  running: msg("running"),
  done: msg("done"),
  failed: msg("failed"),
};

const TestStep = ({ state, children }: { state: State; children: ReactNode }) => (
  <li className="flex items-start gap-3 text-sm">
    <span className={`mt-px grid size-5 shrink-0 place-items-center rounded-full ${LOOKS[state]}`} aria-hidden="true">
      {state === "done" && <Check className="size-3.5" />}
      {state === "failed" && <X className="size-3.5" />}
    </span>
    <span className={`min-w-0 ${state === "pending" ? "text-muted" : ""}`}>
      {children}
      <span className="sr-only"> ({t(STATE_LABELS[state])})</span>
    </span>
  </li>
);
