import { Field } from "@/components/ui/field";
import { t } from "@/lib/texts/translate";

/** Field for a new password, with the password rules as a hint. */
export const NewPasswordField = ({
  label = t("Password"),
  problem,
}: {
  label?: string;
  problem?: string | undefined;
}) => (
  <Field
    label={label}
    name="password"
    type="password"
    autoComplete="new-password"
    required
    hint={t("At least 12 characters. A few random words work well.")}
    problem={problem}
  />
);
