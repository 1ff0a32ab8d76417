import { CodeField } from "@/components/ui/code-field";
import { Field } from "@/components/ui/field";
import type { FormProblems } from "@/components/ui/form-problems";

/** Fields for the password of a signed-in person and, with two-factor authentication, a code. */
export const CredentialFields = ({ fields, withCode }: { fields: FormProblems["fields"]; withCode: boolean }) => (
  <>
    <Field
      label="Your password"
      name="password"
      type="password"
      autoComplete="current-password"
      required
      problem={fields.password}
    />
    {withCode && <CodeField hint="Or one of your recovery codes." problem={fields.code} />}
  </>
);
