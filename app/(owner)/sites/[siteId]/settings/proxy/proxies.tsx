"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { Fact, Facts } from "@/components/ui/facts";
import { FreshKey } from "@/components/ui/fresh-key";
import { Section } from "@/components/ui/section";
import { type SettingValues, settingsOf, settingText } from "@/lib/contract/site-settings";
import { msg, t } from "@/lib/texts/translate";
import { ProxyForm } from "./proxy-form";
import { SigningKey } from "./signing-key";

interface Props {
  siteId: number;
  /** Trusted IP addresses and ranges. */
  addresses: string[];
  mustSign: boolean;
  hasKey: boolean;
  /** Formatted expiry of the previous key; null if there is none. */
  previousEnds: ReactNode;
  mayChange: boolean;
}

const ABOUT = msg(
  "If your server forwards events, all visitors seem to have its IP address. Only these addresses are trusted to name the visitor's address in X-Forwarded-For.",
);

/** Trusted proxies of a site and the key that signs what they forward. */
export function Proxies({ siteId, addresses, mustSign, hasKey, previousEnds, mayChange }: Props) {
  const [fresh, setFresh] = useState<string>();
  const router = useRouter();

  function changed(answer: Record<string, unknown>) {
    if (typeof answer.signing_key === "string") setFresh(answer.signing_key);
    router.refresh();
  }

  const now = { site_id: siteId, trusted_proxy_ips: addresses, require_signature: mustSign };
  return (
    <>
      {fresh && (
        <FreshKey key={fresh} title={t("Your new signing key")} secret={fresh} onDone={() => setFresh(undefined)} />
      )}
      <Section title={t("Trusted proxies")} about={t(ABOUT)}>
        {mayChange ? <ProxyForm now={now} hasKey={hasKey} onChanged={changed} /> : <ReadOnly now={now} />}
      </Section>
      <SigningKey now={now} hasKey={hasKey} previousEnds={previousEnds} mayChange={mayChange} onChanged={changed} />
    </>
  );
}

/** Read-only settings for managers, who may need to know why an event was refused. */
const ReadOnly = ({ now: { trusted_proxy_ips: addresses, ...now } }: { now: ProxySettings }) => (
  <>
    <div className="-mt-2.5">
      <Facts>
        <Fact name={t("Trusted proxies")}>
          {addresses.length === 0 ? t("None") : <span className="font-mono">{addresses.join(", ")}</span>}
        </Fact>
        {settingsOf("proxies").map((one) => (
          <Fact key={one.name} name={t(one.label)}>
            {t(settingText(one, (now as Readonly<Record<string, unknown>>)[one.name]))}
          </Fact>
        ))}
      </Facts>
    </div>
    <p className="mt-2 text-sm text-muted">{t("Only owners can change this.")}</p>
  </>
);

/** Proxy settings of a site. They are always updated together. */
export interface ProxySettings extends SettingValues<"proxies"> {
  site_id: number;
  trusted_proxy_ips: string[];
}
