import { FunnelForm } from "@/components/reports/pages/funnel-form";
import type { SearchParams } from "@/components/reports/view";
import type { SiteShape } from "@/lib/contract/fields";
import { isFunnelText, parseSteps } from "@/lib/contract/funnel-notation";
import { manages } from "@/lib/contract/vocabulary";
import { listFunnels } from "@/lib/sites/saved/funnels";

interface Props {
  site: SiteShape;
  /** `funnel` is the one that is shown: saved, by its name or id, or written down; `edits` the saved one it came from. */
  asked: SearchParams;
}

/** The form that puts funnels together, with the steps of the one that is shown. */
export async function Builder({ site, asked: { funnel, edits } }: Props) {
  const all = await listFunnels(site.site_id);
  const found = all.find(({ id, name }) => name === funnel || id === `${funnel}`.toLowerCase());
  const saved = found ?? all.find(({ id }) => id === edits) ?? null;
  const written = typeof funnel === "string" && isFunnelText(funnel) ? parseSteps(funnel) : [];
  const shown = found?.steps ?? written.map((step, index) => ({ ...step, ...nameOf(step, saved?.steps[index]) }));
  return (
    <FunnelForm
      key={`${funnel} ${saved?.updatedAt.getTime()}`}
      siteId={site.site_id}
      manages={manages(site.role)}
      saved={saved && { id: saved.id, name: saved.name, steps: saved.steps, windowMinutes: saved.windowMinutes }}
      shown={shown}
    />
  );
}

/** A step that is still the saved one is still called as it is. */
const nameOf = (step: { kind: string; pattern: string }, saved?: { kind: string; pattern: string; name?: string }) =>
  saved?.name !== undefined && saved.kind === step.kind && saved.pattern === step.pattern.trim()
    ? { name: saved.name }
    : {};
