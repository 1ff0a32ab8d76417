import { useId } from "react";
import { Field } from "@/components/ui/field";

interface Props {
  /** The IANA names to offer. */
  zones: string[];
  value: string;
  onChange(zone: string): void;
  problem?: string | undefined;
}

/** The timezone of a site: typed, with what is known offered below. */
export function TimezoneField({ zones, value, onChange, problem }: Props) {
  const id = useId();
  return (
    <>
      <Field
        label="Timezone"
        name="timezone"
        list={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        autoComplete="off"
        required
        hint="Its midnight begins the days of your reports."
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
