"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
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
      <ProxyForm now={now} hasKey={hasKey} mayChange={mayChange} onChanged={changed} />
      <SigningKey now={now} hasKey={hasKey} previousEnds={previousEnds} mayChange={mayChange} onChanged={changed} />
    </>
  );
}

/** The settings of a site's proxies, which are changed all at once. */
export interface ProxySettings {
  site_id: number;
  trusted_proxy_ips: string[];
  require_signature: boolean;
}
