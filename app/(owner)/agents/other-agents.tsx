"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { useAction } from "@/components/actions/actions";
import { AgentName } from "@/components/agents/agent-name";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/texts/translate";

export interface Other {
  clientId: string;
  name: string;
  origin: string;
  mayDo: string;
  site: { siteId: number; domain: string; name: string | null };
  lastUsed: ReactNode;
}

/** Agents of other members, and agents without a person, on sites that this person owns. */
export function OtherAgents({ agents }: { agents: Other[] }) {
  const { perform, busy, problems } = useAction("agents.remove_from_site");
  const [removing, setRemoving] = useState<Other>();
  const router = useRouter();

  async function remove({ clientId, site }: Other) {
    if ((await perform({ client_id: clientId, site_id: site.siteId })) === null) return;
    setRemoving(undefined);
    router.refresh();
  }

  return (
    <section id="others" className="scroll-mt-20" aria-label={t("Other agents on your sites")}>
      <h2 className="text-[0.9375rem] font-semibold">{t("Other agents on your sites")}</h2>
      <p className="mb-2 text-sm text-muted">{t("Agents of other members, and machine accounts.")}</p>
      <ul className="card divide-y divide-line">
        {agents.map((agent) => (
          <li
            key={`${agent.clientId} ${agent.site.siteId}`}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-3"
          >
            <div className="min-w-0 flex-1 basis-72">
              <p className="line-clamp-3 break-words">
                <span className="font-medium">
                  <AgentName name={agent.name} />
                </span>{" "}
                <span className="text-muted">{t("on {site}", { site: agent.site.name || agent.site.domain })}</span>
              </p>
              <p className="text-sm break-words text-muted">
                {agent.origin} · {agent.lastUsed ? rich("Used {when}", { when: agent.lastUsed }) : t("Never used")}
              </p>
              <p className="text-sm break-words text-muted">{agent.mayDo}</p>
            </div>
            <Button
              look="quiet"
              size="small"
              aria-label={t("Remove from this site: {agent}", { agent: agent.name })}
              onClick={() => setRemoving(agent)}
            >
              {t("Remove from this site")}
            </Button>
          </li>
        ))}
      </ul>
      {removing && (
        <Confirm
          title={t("Remove this agent from the site?")}
          action={t("Remove")}
          busy={busy}
          problem={problems.message}
          onYes={() => remove(removing)}
          onCancel={() => setRemoving(undefined)}
        >
          <p>
            {rich("{agent} loses access to {site} at its next call. Its access to other sites stays.", {
              agent: <AgentName name={removing.name} />,
              site: removing.site.name || removing.site.domain,
            })}
          </p>
          <p>{t("The member who connected it can give it access again while they belong to the site.")}</p>
        </Confirm>
      )}
    </section>
  );
}
