"use client";

import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { CodeField } from "@/components/ui/code-field";
import { CopyButton } from "@/components/ui/copy-button";
import { Form } from "@/components/ui/form";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/texts/translate";

export interface Seed {
  secret: string;
  uri: string;
  qr: string;
}

interface Props {
  seed: Seed;
  onDone(codes: string[]): void;
  onCancel(): void;
}

/** Shows the secret for an authenticator app and confirms it with a first code. */
export function SetUp({ seed, onDone, onCancel }: Props) {
  const { perform, busy, problems } = useAction("totp.confirm", { fields: ["code"] });

  async function submit(formData: FormData) {
    const data = await perform({ code: String(formData.get("code")) });
    if (data) onDone(data.recovery_codes as string[]);
  }

  return (
    <div className="flex flex-col gap-6 sm:flex-row">
      {/* biome-ignore lint/performance/noImgElement: an inline data URL, so there is nothing to load or resize */}
      <img
        src={`data:image/svg+xml,${encodeURIComponent(seed.qr)}`}
        alt={t("QR code for your app")}
        className="size-48 shrink-0 self-center rounded-lg border border-line bg-white sm:self-start"
      />
      <Form problem={problems.message} onSubmit={submit} className="min-w-0 flex-1 space-y-4">
        <div className="text-sm">
          <p>
            {rich(
              "Scan this QR code with an authenticator app, or <link>open it in one</link> on this device. Or type this key:",
              {
                link: (text) => (
                  <a href={seed.uri} className="text-accent underline">
                    {text}
                  </a>
                ),
              },
            )}
          </p>
          <p className="mt-2 flex flex-wrap items-center gap-2">
            <code className="rounded-md bg-sunken px-2 py-1 font-mono text-[0.8125rem] break-all" data-testid="secret">
              {inGroups(seed.secret)}
            </code>
            <CopyButton text={seed.secret} what={t("the key")} />
          </p>
        </div>
        <CodeField
          kind="app"
          autoFocus
          hint={t("Six digits that change every 30 seconds.")}
          problem={problems.fields.code}
        />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" disabled={busy}>
            {busy ? t("Checking…") : t("Turn on")}
          </Button>
          <Button look="quiet" onClick={onCancel}>
            {t("Cancel")}
          </Button>
        </div>
      </Form>
    </div>
  );
}

const inGroups = (secret: string) => secret.match(/.{1,4}/g)?.join(" ");
