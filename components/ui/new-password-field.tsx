import { Field } from "@/components/ui/field";

/** Where a person chooses a password; what is asked of one is told here and nowhere else. */
export const NewPasswordField = ({ label = "Password", problem }: { label?: string; problem?: string | undefined }) => (
  <Field
    label={label}
    name="password"
    type="password"
    autoComplete="new-password"
    required
    hint="At least 12 characters. A few words make a good one."
    problem={problem}
  />
);
