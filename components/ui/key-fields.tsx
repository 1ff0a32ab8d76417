import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { t } from "@/lib/texts/translate";

interface Props {
  /** A name that a reader may give, translated. */
  example: string;
  /** Days until it expires, with English labels. */
  lifetimes: readonly { value: string; label: string }[];
  /** Of these, the one that is chosen at first. */
  usual: string;
  /** What is wrong with the name. */
  problem: string | undefined;
}

/** The fields of a new key or token: its name, and after how many `days` it expires. */
export const KeyFields = ({ example, lifetimes, usual, problem }: Props) => (
  <>
    <div className="min-w-0 basis-full sm:flex-1 sm:basis-56">
      <Field
        label={t("Name")}
        name="name"
        autoComplete="off"
        placeholder={example}
        required
        maxLength={100}
        problem={problem}
      />
    </div>
    <div className="min-w-0 flex-1 sm:w-40 sm:flex-none">
      <Select
        label={t("Expires")}
        name="days"
        choices={lifetimes.map(({ value, label }) => ({ value, label: t(label) }))}
        defaultValue={usual}
      />
    </div>
  </>
);
