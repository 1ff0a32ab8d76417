import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import { RowButton } from "@/components/ui/row-button";
import { Select } from "@/components/ui/select";
import { legiblePath } from "@/lib/platform/legible";
import { t } from "@/lib/texts/translate";

type Kinds<Kind extends string> = Readonly<Record<Kind, { label: string; hint: string }>>;

interface RowProps {
  /** Name of its kind. */
  label: string;
  pattern: string;
  onRemove(): void;
  children?: ReactNode;
}

/** A rule of a list, with a button to remove it. */
export const RuleRow = ({ label, pattern, onRemove, children }: RowProps) => (
  <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
    <p className="min-w-0 flex-1 basis-48 text-sm">
      <span className="text-muted">{label}</span>{" "}
      <bdi className="font-mono font-medium break-all">{legiblePath(pattern)}</bdi>
      {children}
    </p>
    <RowButton action={t("Remove")} name={`${label.toLowerCase()} ${pattern}`} onClick={onRemove} />
  </li>
);

interface FormProps<Kind extends string> {
  /** What the choice of the kind is called. */
  label: string;
  kinds: Kinds<Kind>;
  first: Kind;
  busy: boolean;
  /** Message for the whole form, and for the pattern. */
  problem: string | undefined;
  patternProblem: string | undefined;
  /** Adds a rule, and returns whether it was added. */
  add(rule: { kind: Kind; pattern: string }): Promise<boolean>;
  children?: ReactNode;
}

/** Form to add a rule: a kind with a pattern. */
export function RuleForm<Kind extends string>({
  label,
  kinds,
  first,
  busy,
  problem,
  patternProblem,
  add,
  children,
}: FormProps<Kind>) {
  const [kind, setKind] = useState<Kind>(first);

  async function submit(formData: FormData, form: HTMLFormElement) {
    if (await add({ kind, pattern: String(formData.get("pattern")) })) form.reset();
  }

  return (
    <Form problem={problem} onSubmit={submit}>
      <div className="flex flex-wrap items-start gap-3">
        <div className="w-full sm:w-auto">
          <Select
            label={label}
            choices={Object.entries<{ label: string }>(kinds).map(([value, one]) => ({ value, label: t(one.label) }))}
            value={kind}
            onChange={(event) => setKind(event.target.value as Kind)}
          />
        </div>
        <div className="min-w-0 flex-1 basis-56">
          <Field
            label={t("Pattern")}
            name="pattern"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            hint={t(kinds[kind].hint)}
            required
            problem={patternProblem}
          />
        </div>
        <Button type="submit" disabled={busy} className="sm:mt-[1.625rem]">
          {t("Add rule")}
        </Button>
      </div>
      {children}
    </Form>
  );
}
