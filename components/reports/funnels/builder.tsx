import type { Place } from "@/components/reports/definition";
import type { SearchParams } from "@/components/reports/view";
import { manages } from "@/lib/contract/access";
import { isFunnelText, parseSteps } from "@/lib/contract/funnel-notation";
import sitesFunnelsList from "@/lib/operations/sites.funnels.list";

interface Props extends Pick<Place, "site" | "read"> {
  /**
   * `funnel`: name or id of the funnel shown, or its steps as text. `edits`: id of the saved funnel that it changes.
   */
  query: SearchParams;
}

/** Form to build a funnel, filled with the steps of the one that is shown. */
export async function Builder({ site, read, query: { funnel, edits } }: Props) {
  const { LazyFunnelForm } = await import("@/components/reports/funnels/lazy-parts");
  const { funnels: all } = await read(sitesFunnelsList, { site_id: site.site_id });
  const found = all.find(({ id, name }) => name === funnel || id === `${funnel}`.toLowerCase());
  const saved = found ?? all.find(({ id }) => id === edits) ?? null;
  const written = typeof funnel === "string" && isFunnelText(funnel) ? parseSteps(funnel) : [];
  const shown = found?.steps ?? written.map((step, index) => ({ ...step, ...nameOf(step, saved?.steps[index]) }));
  return (
    <LazyFunnelForm
      key={`${funnel} ${saved?.updated_at}`}
      siteId={site.site_id}
      manages={manages(site.role)}
      saved={saved && { id: saved.id, name: saved.name, steps: saved.steps, windowMinutes: saved.window_minutes }}
      shown={shown}
    />
  );
}

/** An unchanged step keeps the name of the saved step. */
const nameOf = (step: { kind: string; pattern: string }, saved?: { kind: string; pattern: string; name?: string }) =>
  saved?.name !== undefined && saved.kind === step.kind && saved.pattern === step.pattern.trim()
    ? { name: saved.name }
    : {};
