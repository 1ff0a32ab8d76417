"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { useAction } from "@/components/actions/actions";
import { AgentName } from "@/components/agents/agent-name";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";

export interface Other {
  clientId: string;
  name: string;
  origin: string;
  mayDo: string;
  site: { siteId: number; domain: string; name: string | null };
  lastUsed: ReactNode;
}

/** The agents of other members, and machines, on the sites of which this person is an owner. */
export function OtherAgents({ agents }: { agents: Other[] }) {
  const { perform, busy, problems } = useAction("agents.remove_from_site");
  const [leaving, setLeaving] = useState<Other>();
  const router = useRouter();

  async function remove({ clientId, site }: Other) {
    if ((await perform({ client_id: clientId, site_id: site.siteId })) === null) return;
    setLeaving(undefined);
    router.refresh();
  }

  return (
    <section id="others" className="scroll-mt-20" aria-label="Other agents on your sites">
      <h2 className="text-[0.9375rem] font-semibold">Other agents on your sites</h2>
      <p className="mb-2 text-sm text-muted">Let in by other members, or acting on their own.</p>
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
                <span className="text-muted">on {agent.site.name || agent.site.domain}</span>
              </p>
              <p className="text-sm break-words text-muted">
                {agent.origin} · {agent.lastUsed ? <>Used {agent.lastUsed}</> : "Never used"}
              </p>
              <p className="text-sm break-words text-muted">{agent.mayDo}</p>
            </div>
            <Button
              look="quiet"
              size="small"
              aria-label={`Remove from this site: ${agent.name}`}
              onClick={() => setLeaving(agent)}
            >
              Remove from this site
            </Button>
          </li>
        ))}
      </ul>
      {leaving && (
        <Confirm
          title="Remove this agent from the site?"
          action="Remove"
          busy={busy}
          problem={problems.message}
          onYes={() => remove(leaving)}
          onNo={() => setLeaving(undefined)}
        >
          <p>
            <AgentName name={leaving.name} /> can do nothing on {leaving.site.name || leaving.site.domain} from its next
            call on. On other sites it stays as it is.
          </p>
          <p>Whoever is behind it can let it in again for as long as they belong to the site.</p>
        </Confirm>
      )}
    </section>
  );
}
