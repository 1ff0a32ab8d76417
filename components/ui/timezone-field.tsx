import { useId } from "react";
import { Field } from "@/components/ui/field";
import { t } from "@/lib/texts/translate";

interface Props {
  /** IANA timezone names to suggest. */
  zones: string[];
  value: string;
  onChange(zone: string): void;
  problem?: string | undefined;
}

/** Text field for the timezone of a site, with suggestions. */
export function TimezoneField({ zones, value, onChange, problem }: Props) {
  const id = useId();
  return (
    <>
      <Field
        label={t("Timezone")}
        name="timezone"
        list={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        autoComplete="off"
        required
        hint={t("The days in your reports start at midnight in this timezone.")}
        problem={problem}
      />
      <datalist id={id}>
        {zones.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
