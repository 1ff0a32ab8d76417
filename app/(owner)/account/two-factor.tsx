"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { ProofDialog } from "@/components/actions/proof-dialog";
import type { Proofs } from "@/components/actions/send";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { rich } from "@/components/ui/rich";
import { Section } from "@/components/ui/section";
import { Moment } from "@/components/ui/when";
import { msg, t } from "@/lib/texts/translate";
import { RecoveryCodes } from "./recovery-codes";
import { type Seed, SetUp } from "./set-up";

interface Props {
  /** When the authenticator app was set up; null without one. */
  since: Date | null;
  /** Whether a passkey is a second factor. */
  hasPasskey: boolean;
  /** How many recovery codes are left. */
  codesLeft: number;
  proofs: Proofs;
}

const ABOUT = msg(
  "Signing in asks for a passkey, or for a code from an app on your phone, after the password. A stolen password is not enough.",
);

/** Two-factor authentication: off, being set up, showing new recovery codes, or on. */
export function TwoFactor({ since, hasPasskey, codesLeft, proofs }: Props) {
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

  const on = since !== null || hasPasskey || codes !== undefined;
  const problem = start.problems.message ?? renew.problems.message;
  return (
    <Section
      title={t("Two-factor authentication")}
      about={t(ABOUT)}
      badge={<Badge tone={on ? "good" : "plain"}>{on ? t("On") : t("Off")}</Badge>}
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
      ) : !on ? (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button disabled={start.busy} onClick={begin}>
            {start.busy ? t("One moment…") : t("Set up")}
          </Button>
          <p className="text-sm text-muted">{t("Turning it on signs out every other browser.")}</p>
        </div>
      ) : (
        <div className="space-y-4">
          <p className="text-sm">
            {since ? rich("App set up {date}.", { date: <Moment at={since} /> }) : t("On, because you have a passkey.")}{" "}
            <span className={codesLeft < 3 ? "font-medium text-warn" : "text-muted"}>
              {t(
                "{count, plural, =0 {No recovery code is left.} one {# recovery code is left.} other {# recovery codes are left.}}",
                { count: codesLeft },
              )}
            </span>
          </p>
          <div className="flex flex-wrap gap-2">
            <Button look="quiet" disabled={renew.busy} onClick={renewCodes}>
              {t("New recovery codes")}
            </Button>
            {since ? (
              <Button look="danger" onClick={() => setStopping(true)}>
                {hasPasskey ? t("Remove the app") : t("Turn off")}
              </Button>
            ) : (
              <Button look="quiet" disabled={start.busy} onClick={begin}>
                {t("Set up an app too")}
              </Button>
            )}
          </div>
        </div>
      )}
      {stopping && (
        <ProofDialog
          operation="totp.stop"
          proofs={proofs}
          title={hasPasskey ? t("Remove the authenticator app?") : t("Turn off two-factor authentication?")}
          about={
            hasPasskey
              ? t("Your passkeys and recovery codes stay. Every other browser is signed out.")
              : t(
                  "One step alone will sign you in. Your recovery codes stop working, and every other browser is signed out.",
                )
          }
          action={hasPasskey ? t("Remove") : t("Turn off")}
          look="danger"
          onDone={finish}
          onCancel={() => setStopping(false)}
        />
      )}
    </Section>
  );
}
