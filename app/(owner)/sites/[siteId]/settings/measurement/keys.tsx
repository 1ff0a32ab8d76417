"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { FreshKey } from "@/components/ui/fresh-key";
import { rich } from "@/components/ui/rich";
import { RowButton } from "@/components/ui/row-button";
import { Section } from "@/components/ui/section";
import { t } from "@/lib/texts/translate";
import { type Access, EndAccess, Expiry, endAction } from "../end-access";
import { MakeKey } from "./make-key";
import { RotateKey } from "./rotate-key";

export interface Key extends Access {
  id: number;
  hint: string;
  /** Formatted time; null for never. */
  lastUsed: ReactNode;
}

/** Ingest keys of a site, with buttons to create, rotate and revoke them. */
export function Keys({ siteId, keys }: { siteId: number; keys: Key[] }) {
  const [fresh, setFresh] = useState<string>();
  const [rotating, setRotating] = useState<Key>();
  const [revoking, setRevoking] = useState<Key>();
  const router = useRouter();

  function show(key: string) {
    setFresh(key);
    setRotating(undefined);
    router.refresh();
  }

  return (
    <>
      {fresh && <FreshKey key={fresh} title={t("Your new key")} secret={fresh} onDone={() => setFresh(undefined)} />}
      {keys.length > 0 && (
        <Section
          title={t("Keys")}
          about={t("Servers send events of this site with a key. Keep keys out of pages and apps.")}
        >
          <ul className="-my-2.5 divide-y divide-line">
            {keys.map((key) => (
              <li key={key.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5">
                <div className="min-w-0 flex-1 basis-48 text-sm">
                  <p className="flex flex-wrap items-center gap-x-2 font-medium">
                    <span className="min-w-0 break-words">{key.name}</span>
                    {key.ended && <Badge>{t("Expired")}</Badge>}
                  </p>
                  <p className="text-muted">
                    <code className="font-mono">ffk_…{key.hint}</code>, <Expiry of={key} />,{" "}
                    {key.lastUsed === null ? t("never used") : rich("last used {time}", { time: key.lastUsed })}
                  </p>
                </div>
                <div className="flex gap-2">
                  {!key.ended && (
                    <RowButton
                      action={t("Rotate")}
                      name={`${key.name}, ${key.hint}`}
                      onClick={() => setRotating(key)}
                    />
                  )}
                  <RowButton
                    action={endAction(key)}
                    name={`${key.name}, ${key.hint}`}
                    onClick={() => setRevoking(key)}
                  />
                </div>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <MakeKey siteId={siteId} onMade={show} />
      {rotating && <RotateKey siteId={siteId} of={rotating} onRotated={show} onCancel={() => setRotating(undefined)} />}
      {revoking && (
        // Asks, because servers that use the key are refused within seconds.
        <EndAccess
          operation="sites.keys.revoke"
          input={{ site_id: siteId, key_id: revoking.id }}
          of={revoking}
          onClose={() => setRevoking(undefined)}
        >
          {t(
            "Takes effect within 5 seconds: servers that use it are refused, and their events are lost. To replace it without loss, rotate it.",
          )}
        </EndAccess>
      )}
    </>
  );
}
