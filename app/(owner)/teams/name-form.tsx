import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import { t } from "@/lib/texts/translate";

interface Props {
  /** What was refused about the name, and about anything else. */
  problem: string | undefined;
  message: string | undefined;
  busy: boolean;
  /** The present name of a team. */
  name?: string;
  /** What the button says. */
  action: string;
  onSubmit(name: string): Promise<void>;
}

/** The name of a team, with the button that saves it. */
export const TeamNameForm = ({ problem, message, busy, name, action, onSubmit }: Props) => (
  <Form problem={message} onSubmit={(typed) => onSubmit(String(typed.get("name")))}>
    <div className="flex flex-wrap items-start gap-3">
      <div className="min-w-0 flex-1 basis-56">
        <Field
          label={t("Name")}
          name="name"
          autoComplete="off"
          placeholder={t("Acme")}
          defaultValue={name}
          maxLength={100}
          required
          problem={problem}
        />
      </div>
      <Button type="submit" disabled={busy} className="mt-[1.625rem]">
        {action}
      </Button>
    </div>
  </Form>
);
