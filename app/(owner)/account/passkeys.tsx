"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { useAction } from "@/components/actions/actions";
import { useRemoval } from "@/components/actions/removal";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { RowButton } from "@/components/ui/row-button";
import { Section } from "@/components/ui/section";
import { makePasskey, NO_PASSKEY } from "@/lib/auth/passkey-browser";
import { t } from "@/lib/texts/translate";
import { RecoveryCodes } from "./recovery-codes";

interface Passkey {
  id: string;
  name: string;
  seen: ReactNode;
  /** The earlier host of the service on which alone it works; null while it works here. */
  formerHost: string | null;
}

/** Lists the person's passkeys, adds and removes them. */
export function Passkeys({ passkeys, turnsOn }: { passkeys: Passkey[]; turnsOn: boolean }) {
  const { shown, remove } = useRemoval(
    "passkeys.remove",
    passkeys,
    ({ id }) => id,
    ({ id }) => ({ passkey: id }),
  );
  const [adding, setAdding] = useState(false);
  const [codes, setCodes] = useState<string[]>();
  const router = useRouter();

  function added(recoveryCodes: string[]) {
    setAdding(false);
    if (recoveryCodes.length > 0) setCodes(recoveryCodes);
    // Also the layout, whose dialogs offer passkeys.
    router.refresh();
  }

  return (
    <Section
      title={t("Passkeys")}
      about={t(
        "Sign in with your fingerprint, face or device PIN. A passkey counts as both steps of two-factor authentication, and works on this service only.",
      )}
      aside={
        !codes && (
          <Button look="quiet" size="small" onClick={() => setAdding(true)}>
            {t("Add a passkey")}
          </Button>
        )
      }
    >
      {codes ? (
        <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />
      ) : shown.length === 0 ? (
        <p className="text-sm text-muted">
          {t("No passkey yet.")}
          {turnsOn &&
            ` ${t("The first one turns on two-factor authentication, and signs out every other browser: any other way to sign in then needs a recovery code as well.")}`}
        </p>
      ) : (
        <ul className="-my-2.5 divide-y divide-line">
          {shown.map((passkey) => (
            <li key={passkey.id} className="flex items-center justify-between gap-4 py-2.5">
              <div className="min-w-0">
                <p className="text-sm font-medium [overflow-wrap:anywhere]">{passkey.name}</p>
                <p className="text-sm text-muted">{passkey.seen}</p>
                {passkey.formerHost && (
                  <p className="text-sm text-warn [overflow-wrap:anywhere]">
                    {t("Works at {host} only, an earlier address of this service.", { host: passkey.formerHost })}
                  </p>
                )}
              </div>
              <RowButton action={t("Remove")} name={passkey.name} onClick={() => remove(passkey)} />
            </li>
          ))}
        </ul>
      )}
      {adding && <AddDialog onDone={added} onCancel={() => setAdding(false)} />}
    </Section>
  );
}

function AddDialog({ onDone, onCancel }: { onDone(recoveryCodes: string[]): void; onCancel(): void }) {
  const start = useAction("passkeys.start");
  const add = useAction("passkeys.add", { fields: ["name"] });
  const [unmade, setUnmade] = useState(false);

  async function submit(typed: FormData) {
    setUnmade(false);
    const options = await start.perform({});
    const answer = options && (await makePasskey(options));
    setUnmade(options !== null && !answer);
    const data = answer && (await add.perform({ name: String(typed.get("name")), answer }));
    if (data) onDone(data.recovery_codes);
  }

  const message = unmade ? t(NO_PASSKEY) : (start.problems.message ?? add.problems.message);
  return (
    <FormDialog
      title={t("Add a passkey")}
      about={t("Your browser asks where to keep it: on this device, on your phone, or on a security key.")}
      problems={{ fields: add.problems.fields, ...(message && { message }) }}
      action={t("Continue")}
      busyAction={t("Waiting…")}
      busy={start.busy || add.busy}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <Field
        label={t("Name")}
        name="name"
        required
        maxLength={60}
        placeholder={t("Laptop")}
        hint={t("To recognise it in this list.")}
        problem={add.problems.fields.name}
      />
    </FormDialog>
  );
}
