import { Plus, X } from "lucide-react";
import { Button } from "@/components/ui/button";
import { inputLook } from "@/components/ui/field";
import { bothOf, type FormProblems } from "@/components/ui/form-problems";
import { t } from "@/lib/texts/translate";

const FEWEST = 2;
const MOST = 10;

/** A variant while it is edited, with an id for React keys. */
export interface VariantDraft {
  id: number;
  name: string;
  weight: string;
}

interface Props {
  variants: VariantDraft[];
  /** Error messages by path, such as `variants.0.name`. */
  problems: FormProblems["fields"];
  onChange(variants: VariantDraft[]): void;
}

/** Fields for the variants of an experiment and their weights. The first variant is the control. */
export function Variants({ variants, problems, onChange }: Props) {
  const change = (changed: VariantDraft) =>
    onChange(variants.map((variant) => (variant.id === changed.id ? changed : variant)));
  const add = () =>
    onChange([...variants, { id: Math.max(...variants.map(({ id }) => id)) + 1, name: "", weight: "1" }]);
  return (
    <fieldset className="space-y-2">
      <legend className="text-sm font-medium">{t("Variants")}</legend>
      <p className="text-sm text-muted">{t("The first variant is the control. Weights set the traffic split.")}</p>
      {problems.variants && <Fault text={problems.variants} />}
      {variants.map((variant, index) => (
        <VariantLine
          key={variant.id}
          variant={variant}
          number={index + 1}
          fault={bothOf(problems[`variants.${index}.name`], problems[`variants.${index}.weight`])}
          onChange={change}
          onRemove={variants.length > FEWEST ? () => onChange(variants.filter(({ id }) => id !== variant.id)) : null}
        />
      ))}
      {variants.length < MOST && (
        <Button look="quiet" size="small" onClick={add}>
          <Plus /> {t("Add a variant")}
        </Button>
      )}
    </fieldset>
  );
}

interface LineProps {
  variant: VariantDraft;
  number: number;
  fault: string | undefined;
  onChange(variant: VariantDraft): void;
  /** null if the minimum number of variants is reached. */
  onRemove: (() => void) | null;
}

function VariantLine({ variant, number, fault, onChange, onRemove }: LineProps) {
  const invalid = fault ? true : undefined;
  return (
    <div className="space-y-1">
      <div className="flex items-center gap-2">
        <input
          aria-label={t("Variant {number}", { number })}
          aria-invalid={invalid}
          value={variant.name}
          onChange={({ target }) => onChange({ ...variant, name: target.value })}
          placeholder={number === 1 ? t("control") : "b"}
          autoComplete="off"
          autoCapitalize="off"
          maxLength={255}
          className={`${inputLook} min-w-0 flex-1`}
        />
        <span className="w-20 shrink-0">
          <input
            aria-label={t("Weight of variant {number}", { number })}
            value={variant.weight}
            onChange={({ target }) => onChange({ ...variant, weight: target.value })}
            inputMode="decimal"
            autoComplete="off"
            className={`${inputLook} text-right tabular-nums`}
          />
        </span>
        {onRemove && (
          <Button look="bare" size="small" aria-label={t("Remove variant {number}", { number })} onClick={onRemove}>
            <X />
          </Button>
        )}
      </div>
      {fault && <Fault text={fault} />}
    </div>
  );
}

const Fault = ({ text }: { text: string }) => (
  <p role="alert" className="text-sm text-bad">
    {text}
  </p>
);
