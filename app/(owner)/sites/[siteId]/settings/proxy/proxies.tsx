"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { Fact, Facts } from "@/components/ui/facts";
import { Section } from "@/components/ui/section";
import { FreshKey } from "../fresh-key";
import { ProxyForm } from "./proxy-form";
import { SigningKey } from "./signing-key";

interface Props {
  siteId: number;
  /** What is trusted now, as addresses and ranges. */
  addresses: string[];
  mustSign: boolean;
  hasKey: boolean;
  /** When the key before this one ends, in words; null when none counts. */
  previousEnds: ReactNode;
  mayChange: boolean;
}

const ABOUT =
  "When events reach us through a server of yours, all visitors have that server’s address. From these addresses, and no others, an event may name its visitor in X-Forwarded-For.";

/** Whose word about visitors a site takes, and the key by which that word may have to be signed. */
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
      {fresh && <FreshKey key={fresh} title="Your new signing key" secret={fresh} onDone={() => setFresh(undefined)} />}
      <Section title="Your proxies" about={ABOUT}>
        {mayChange ? <ProxyForm now={now} hasKey={hasKey} onChanged={changed} /> : <AsItIs now={now} />}
      </Section>
      <SigningKey now={now} hasKey={hasKey} previousEnds={previousEnds} mayChange={mayChange} onChanged={changed} />
    </>
  );
}

/** What managers see, who find here why an event was refused. */
const AsItIs = ({ now: { trusted_proxy_ips: addresses, require_signature: mustSign } }: { now: ProxySettings }) => (
  <>
    <div className="-mt-2.5">
      <Facts>
        <Fact name="Addresses">
          {addresses.length === 0 ? "None" : <span className="font-mono">{addresses.join(", ")}</span>}
        </Fact>
        <Fact name="Signature">{mustSign ? "Required" : "Not required"}</Fact>
      </Facts>
    </div>
    <p className="mt-2 text-sm text-muted">Only owners change this.</p>
  </>
);

/** The settings of a site's proxies, which are changed all at once. */
export interface ProxySettings {
  site_id: number;
  trusted_proxy_ips: string[];
  require_signature: boolean;
}
