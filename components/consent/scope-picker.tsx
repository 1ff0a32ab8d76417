import { useId } from "react";
import { groupScopes } from "@/components/agents/scope-groups";
import { Checkbox } from "@/components/ui/checkbox";
import { toggled } from "@/components/ui/toggled";
import { RESTORABLE_DAYS, type Scope } from "@/lib/contract/access";
import { t } from "@/lib/texts/translate";

interface Props {
  title?: string;
  requested: readonly Scope[];
  /** Actions of each scope that need an approval each time. */
  approvals: Partial<Record<Scope, string[]>>;
  /** Changes of each scope that the agent makes without asking. */
  atOnce: Partial<Record<Scope, string[]>>;
  ticked: ReadonlySet<Scope>;
  onChange(ticked: ReadonlySet<Scope>): void;
  problem: string | undefined;
}

/** The requested scopes, grouped by risk. */
export function ScopePicker({
  title: name = t("Permissions"),
  requested,
  approvals,
  atOnce,
  ticked,
  onChange,
  problem,
}: Props) {
  const id = useId();
  return (
    <section className="card overflow-hidden" aria-labelledby={id}>
      <h2 id={id} className="px-4 pt-3.5 pb-1 text-[0.9375rem] font-semibold">
        {name}
      </h2>
      {problem && (
        <p role="alert" className="px-4 pb-2 text-sm text-bad">
          {problem}
        </p>
      )}
      {groupScopes(requested).map(({ title, hint, scopes }) => (
        <fieldset key={title} className="min-w-0 border-t border-line py-1.5">
          <legend className="sr-only">{hint ? `${t(title)}. ${t(hint)}` : t(title)}</legend>
          <p aria-hidden="true" className="px-4 pt-1.5 text-xs text-muted">
            <span className="font-medium text-ink">{t(title)}</span>
            {hint && ` · ${t(hint)}`}
          </p>
          {scopes.map(({ scope, about }) => (
            <Checkbox
              key={scope}
              checked={ticked.has(scope)}
              onChange={() => onChange(toggled(ticked, scope))}
              label={t(about)}
              hint={<Changes atOnce={atOnce[scope] ?? []} approvals={approvals[scope] ?? []} />}
            />
          ))}
        </fieldset>
      ))}
    </section>
  );
}

/** What the agent changes with a scope: at once, and after an approval. */
function Changes({ atOnce, approvals }: { atOnce: string[]; approvals: string[] }) {
  const deletes = atOnce.some((title) => /^Delete/.test(title));
  return (
    <>
      {atOnce.length > 0 && (
        <span className="mt-1 block">
          <span className="font-medium text-ink">{t("Without asking you:")}</span> {inLine(atOnce)}.
          {deletes &&
            ` ${t("You can restore what it deletes for {days} days, in its log.", { days: RESTORABLE_DAYS })}`}
        </span>
      )}
      {approvals.length > 0 && (
        <span className="mt-1 block">
          <span className="font-medium text-ink">{t("Needs your approval each time:")}</span> {inLine(approvals)}.
        </span>
      )}
    </>
  );
}

/** @param titles of operations */
const inLine = (titles: string[]): string => titles.map((title) => t(title)).join(" · ");
