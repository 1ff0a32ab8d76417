import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { InputFrame, inputLook } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import type { FormProblems } from "@/components/ui/form-problems";
import { t } from "@/lib/texts/translate";
import { SettingControls, settingsFrom } from "../setting-controls";
import type { ProxySettings } from "./proxies";

interface Props {
  now: ProxySettings;
  hasKey: boolean;
  onChanged(answer: Record<string, unknown>): void;
}

export function ProxyForm({ now, hasKey, onChanged }: Props) {
  const { perform, busy, problems } = useAction("sites.proxy.update", {
    fields: ["trusted_proxy_ips", "trusted_proxy_ips.*"],
  });
  const [lines, setLines] = useState(now.trusted_proxy_ips);

  async function submit(formData: FormData) {
    const addresses = String(formData.get("addresses"))
      .split(/[\s,]+/)
      .filter((line) => line !== "");
    setLines(addresses);
    const chosen = settingsFrom("proxies", formData);
    const answer = await perform({
      ...{ ...now, ...chosen, trusted_proxy_ips: addresses },
      rotate_signing_key: chosen.require_signature && !hasKey,
    });
    if (answer) onChanged(answer);
  }

  return (
    <Form problem={problems.message} onSubmit={submit}>
      <InputFrame
        label={t("Trusted proxies")}
        hint={t("IP addresses or ranges, one per line. If empty, no proxy is trusted.")}
        problem={problemsOfLines(problems.fields, lines).join("\n") || undefined}
      >
        {(tied) => (
          <textarea
            {...tied}
            name="addresses"
            rows={Math.min(12, Math.max(3, now.trusted_proxy_ips.length + 1))}
            defaultValue={now.trusted_proxy_ips.join("\n")}
            placeholder={"192.0.2.10\n2001:db8::/32"}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            className={`${inputLook} h-auto py-2 font-mono text-sm`}
          />
        )}
      </InputFrame>
      <SettingControls group="proxies" values={now} />
      {!hasKey && (
        <p className="text-sm text-muted">{t("Requiring signatures creates a signing key, which is shown once.")}</p>
      )}
      <Button type="submit" disabled={busy}>
        {busy ? t("Saving…") : t("Save")}
      </Button>
    </Form>
  );
}

/** Maps field errors to the lines they are about: "This is wider than /8" becomes "10.0.0.0/7 is wider than /8". */
function problemsOfLines(fields: FormProblems["fields"], lines: string[]): string[] {
  return Object.entries(fields).map(([path, problem = ""]) => {
    const line = lines[Number(path.split(".")[1])];
    return line === undefined ? problem : problem.replace(/^This/, line);
  });
}
