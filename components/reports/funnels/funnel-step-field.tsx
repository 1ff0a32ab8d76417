import type { SavedStep } from "@/components/reports/funnels/funnel-form";
import { Suggested } from "@/components/reports/suggestions";
import { Button } from "@/components/ui/button";
import { t } from "@/lib/texts/translate";

/** A step while it is edited, with an id for React keys. */
export interface StepDraft extends SavedStep {
  id: number;
}

interface Props {
  siteId: number;
  step: StepDraft;
  number: number;
  onChange(step: StepDraft): void;
  /** null if the minimum number of steps is reached. */
  onRemove: (() => void) | null;
}

const look = "h-9 rounded-lg border border-line-strong bg-surface px-2.5 text-sm";

/** Fields for the kind and pattern of a step. A change resets its name, which described the old pattern. */
export function FunnelStepField({ siteId, step: { id, kind, pattern }, number, onChange, onRemove }: Props) {
  return (
    <li className="flex flex-wrap items-center gap-2">
      <span className="w-5 text-right text-sm text-muted tabular-nums">{number}</span>
      <select
        aria-label={t("Step {number} is a", { number })}
        value={kind}
        onChange={({ target }) => onChange({ id, kind: target.value as SavedStep["kind"], pattern })}
        className={look}
      >
        <option value="page">{t("Page")}</option>
        <option value="event">{t("Event")}</option>
      </select>
      <Suggested
        siteId={siteId}
        field={kind}
        aria-label={t("Step {number}", { number })}
        value={pattern}
        required
        onChange={({ target }) => onChange({ id, kind, pattern: target.value })}
        placeholder={kind === "page" ? "/pricing" : t("Signup")}
        className={`${look} min-w-0 flex-1 basis-40`}
      />
      {onRemove && (
        <Button look="bare" size="small" aria-label={t("Remove step {number}", { number })} onClick={onRemove}>
          {t("Remove")}
        </Button>
      )}
    </li>
  );
}
