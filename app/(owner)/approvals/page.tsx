import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { AgentName } from "@/components/agents/agent-name";
import { APPROVAL_STATES, RISK_TONES } from "@/components/agents/approval-states";
import { describeLoss } from "@/components/agents/loss-text";
import { Badge } from "@/components/ui/badge";
import { Refresh } from "@/components/ui/refresh";
import { rich } from "@/components/ui/rich";
import { Steps } from "@/components/ui/steps";
import { When } from "@/components/ui/when";
import { type ApprovalView, listApprovals } from "@/lib/agents/approval-inbox";
import { RISKS } from "@/lib/contract/access";
import type { ChangeLine } from "@/lib/contract/define";
import { siteTitle } from "@/lib/platform/legible-host";
import { capitalise } from "@/lib/texts/capitalise";
import { msg, t } from "@/lib/texts/translate";
import { signedInOwner } from "../access";

export const generateMetadata = (): Metadata => ({ title: t("Approvals") });

export default async function ApprovalsPage() {
  const owner = await signedInOwner();
  const now = new Date();
  const { waiting, ended } = await listApprovals(owner.personId, now);
  return (
    <div className="mx-auto max-w-4xl">
      <h1 className="text-2xl font-semibold">{t("Approvals")}</h1>
      <p className="mt-1 mb-6 text-muted">{t("Risky changes that agents have requested.")}</p>
      <Refresh everyMs={10_000} />
      {waiting.length + ended.length === 0 ? (
        <NoApprovals />
      ) : (
        <div className="space-y-8">
          <OpenApprovals approvals={waiting} now={now} />
          {ended.length > 0 && <EndedApprovals approvals={ended} now={now} />}
        </div>
      )}
    </div>
  );
}

interface ListProps {
  approvals: ApprovalView[];
  now: Date;
}

const OpenApprovals = ({ approvals, now }: ListProps) => (
  <section aria-labelledby="pending">
    <h2 id="pending" className="mb-2 text-[0.9375rem] font-semibold">
      {t("Pending")}
    </h2>
    {approvals.length === 0 ? (
      <p className="card px-4 py-6 text-center text-sm text-muted">{t("No pending requests.")}</p>
    ) : (
      <ul className="card divide-y divide-line">
        {approvals.map((approval) => (
          <ApprovalRow key={approval.id} approval={approval}>
            {rich(
              approval.whyNot
                ? msg("requested {when}, expires {end}. View only")
                : msg("requested {when}, expires {end}"),
              {
                when: <When at={approval.requestedAt} now={now} />,
                end: <When at={approval.expiresAt} now={now} />,
              },
            )}
          </ApprovalRow>
        ))}
      </ul>
    )}
  </section>
);

const EndedApprovals = ({ approvals, now }: ListProps) => (
  <section aria-labelledby="ended">
    <h2 id="ended" className="mb-2 text-[0.9375rem] font-semibold">
      {t("Last 90 days")}
    </h2>
    <ul className="card divide-y divide-line">
      {approvals.map((approval) => (
        <ApprovalRow key={approval.id} approval={approval}>
          {approval.decidedAt
            ? rich(
                "{decision, select, denied {denied} other {approved}} by {person, select, you {you} deleted {a deleted account} other {{person}}} {when}",
                {
                  decision: approval.state,
                  person: approval.decidedBy ?? "deleted",
                  when: <When at={approval.decidedAt} now={now} />,
                },
              )
            : rich("requested {when}", { when: <When at={approval.requestedAt} now={now} /> })}
        </ApprovalRow>
      ))}
    </ul>
    {approvals.length === 100 && <p className="mt-3 text-sm text-muted">{t("Only the newest 100 are shown.")}</p>}
  </section>
);

function ApprovalRow({ approval, children }: { approval: ApprovalView; children: ReactNode }) {
  const { state, risk, site, agent } = approval;
  return (
    <li className="relative flex flex-wrap items-start justify-between gap-x-4 gap-y-1.5 px-4 py-3 first:rounded-t-xl last:rounded-b-xl hover:bg-sunken/60">
      <div className="min-w-0 flex-1 basis-72">
        <p className="break-words">
          <Link
            href={`/approvals/${approval.id}`}
            prefetch={false}
            className="font-medium after:absolute after:inset-0 after:rounded-xl"
          >
            {t(approval.title)}
          </Link>
          {site && <span className="text-muted"> {t("on {site}", { site: siteTitle(site) })}</span>}
        </p>
        <p className="text-sm break-words text-muted">
          <AgentName name={agent.name} />, {children}
        </p>
        {approval.loss && <p className="text-sm font-medium break-words text-bad">{describeLoss(approval.loss)}</p>}
        <ChangeSummary lines={approval.lines} />
      </div>
      <div className="flex items-center gap-2">
        {state === "pending" ? (
          <Badge tone={RISK_TONES[risk]}>{capitalise(t(RISKS[risk].about))}</Badge>
        ) : (
          <Badge tone={APPROVAL_STATES[state].tone}>{t(APPROVAL_STATES[state].label)}</Badge>
        )}
      </div>
    </li>
  );
}

/** What a request would change, in one line for each changed setting. */
const ChangeSummary = ({ lines }: { lines: ChangeLine[] }) => (
  <ul className="mt-1 space-y-0.5 text-sm" aria-label={t("What would change")}>
    {lines
      .filter(({ before, after }) => before !== after)
      .map(({ label, before, after }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: labels may repeat, and the lines never change order
        <li key={index} className="[overflow-wrap:anywhere]">
          {t(label)}: <bdi className="text-muted">{before || t("none")}</bdi> →{" "}
          <bdi className="font-medium">{after || t("none")}</bdi>
        </li>
      ))}
  </ul>
);

const STEPS = [
  [msg("An agent sends a request"), msg("Safe actions run directly. Risky ones need the approval of a person.")],
  [
    msg("You see exactly what would change"),
    msg("Before and after, which agent, and a code that your agent shows too."),
  ],
  [msg("You approve or deny"), msg("An approval is valid for this one change and for an hour.")],
] as const;

/** Empty state of the approvals page. */
function NoApprovals() {
  return (
    <section className="card" aria-label={t("How approvals work")}>
      <Steps steps={STEPS.map(([title, text]) => [t(title), t(text)] as const)} />
      <p className="border-t border-line p-4 text-sm text-muted">
        {t("No approval requests yet.")}{" "}
        <Link href="/docs/agents" prefetch={false} className="font-medium text-accent underline">
          {t("How to connect an agent")}
        </Link>
      </p>
    </section>
  );
}
