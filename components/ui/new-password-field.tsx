import { Field } from "@/components/ui/field";
import { t } from "@/lib/texts/translate";

interface Props {
  label?: string;
  /** The address of the account, for the browser's password manager, where the form does not show it. */
  email?: string;
  problem?: string | undefined;
}

/** Field for a new password, with the password rules as a hint. */
export const NewPasswordField = ({ label = t("Password"), email, problem }: Props) => (
  <>
    {email !== undefined && <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />}
    <Field
      label={label}
      name="password"
      type="password"
      autoComplete="new-password"
      required
      hint={t("At least 12 characters. A few random words work well.")}
      problem={problem}
    />
  </>
);
