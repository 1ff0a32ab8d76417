"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { CredentialFields } from "@/components/actions/credential-fields";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { FormDialog } from "@/components/ui/form-dialog";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { Moment } from "@/components/ui/when";
import { RecoveryCodes } from "./recovery-codes";
import { type Seed, SetUp } from "./set-up";

interface Props {
  /** When it was turned on; null while it is off. */
  since: Date | null;
  /** How many recovery codes are left. */
  codesLeft: number;
}

const ABOUT =
  "Signing in asks for a code from an app on your phone after the password, so a stolen password is not enough.";

/** Two-factor authentication: off, being set up, showing new recovery codes, or on. */
export function TwoFactor({ since, codesLeft }: Props) {
  const start = useAction("totp.start");
  const renew = useAction("totp.renew_codes");
  const [seed, setSeed] = useState<Seed>();
  const [codes, setCodes] = useState<string[]>();
  const [stopping, setStopping] = useState(false);
  const router = useRouter();

  async function begin() {
    const data = await start.perform({});
    if (data) setSeed(data as unknown as Seed);
  }

  function switchedOn(recoveryCodes: string[]) {
    setCodes(recoveryCodes);
    // Refreshes the session list, and the layout that asks for codes in dialogs.
    router.refresh();
  }

  async function renewCodes() {
    const data = await renew.perform({});
    if (data) setCodes(data.recovery_codes as string[]);
  }

  function finish() {
    setSeed(undefined);
    setCodes(undefined);
    setStopping(false);
    // Refreshes the layout, which asks for codes in dialogs.
    router.refresh();
  }

  const on = since !== null || codes !== undefined;
  const problem = start.problems.message ?? renew.problems.message;
  return (
    <Section
      title="Two-factor authentication"
      about={ABOUT}
      badge={<Badge tone={on ? "good" : "plain"}>{on ? "On" : "Off"}</Badge>}
    >
      {problem && (
        <div className="mb-4">
          <Notice>{problem}</Notice>
        </div>
      )}
      {codes ? (
        <RecoveryCodes codes={codes} onDone={finish} />
      ) : seed ? (
        <SetUp seed={seed} onDone={switchedOn} onCancel={() => setSeed(undefined)} />
      ) : since === null ? (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button disabled={start.busy} onClick={begin}>
            {start.busy ? "One moment…" : "Set up"}
          </Button>
          <p className="text-sm text-muted">Turning it on signs out every other browser.</p>
        </div>
      ) : (
        <div className="space-y-4">
          <p className="text-sm">
            Turned on <Moment at={since} />.{" "}
            <span className={codesLeft < 3 ? "font-medium text-warn" : "text-muted"}>
              {codesLeft === 0
                ? "No recovery code is"
                : codesLeft === 1
                  ? "1 recovery code is"
                  : `${codesLeft} recovery codes are`}{" "}
              left.
            </span>
          </p>
          <div className="flex flex-wrap gap-2">
            <Button look="quiet" disabled={renew.busy} onClick={renewCodes}>
              New recovery codes
            </Button>
            <Button look="danger" onClick={() => setStopping(true)}>
              Turn off
            </Button>
          </div>
        </div>
      )}
      {stopping && <SwitchOff onDone={finish} onCancel={() => setStopping(false)} />}
    </Section>
  );
}

/** Turns two-factor authentication off. Always asks for password and code, even after a recent sign-in. */
function SwitchOff({ onDone, onCancel }: { onDone(): void; onCancel(): void }) {
  const { perform, busy, problems } = useAction("totp.stop", { fields: ["password", "code"] });

  async function submit(formData: FormData) {
    const done = await perform({ password: String(formData.get("password")), code: String(formData.get("code")) });
    if (done) onDone();
  }

  return (
    <FormDialog
      title="Turn off two-factor authentication?"
      about="Your password alone will sign you in. Your recovery codes stop working, and every other browser is signed out."
      problems={problems}
      action="Turn off"
      busyAction="Checking…"
      look="danger"
      busy={busy}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <CredentialFields fields={problems.fields} withCode />
    </FormDialog>
  );
}
