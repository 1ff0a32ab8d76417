"use client";

import { refusalSentence } from "@/components/reports/refusal-reasons";
import { rich } from "@/components/ui/rich";
import { TextLink } from "@/components/ui/text-link";
import type { Answer } from "@/lib/operations/index";
import { msg, t } from "@/lib/texts/translate";

/** Events of pages that are not on the site's domains. */
const ELSEWHERE: readonly string[] = ["invalid_input:Origin", "invalid_input:url"];

const ELSEWHERE_MANAGER = msg(
  "The snippet works, but its page is on another address. Is it another domain of this site? <domains>Add the domain</domains>. Is it your own machine? Turn on “{setting}” in <general>General settings</general>.",
);
const ELSEWHERE_VIEWER = msg(
  "The snippet works, but its page is on another address. Is it another domain of this site? Add the domain. Is it your own machine? Turn on “{setting}” in its settings.",
);

interface Props extends Pick<Answer<"sites.activity">, "refused"> {
  siteId: number;
  /** Whether the person can change the site's settings. */
  canChange: boolean;
  /** The setting that counts pages on localhost, as the settings name it. */
  localPages: string;
}

/** The events that a new site has sent and that were not counted, and what to do about them. */
export function FirstRefused({ siteId, refused, canChange, localPages }: Props) {
  const isElsewhere = refused.some(({ reason }) => ELSEWHERE.includes(reason));
  return (
    <div className="mt-4 border-t border-line pt-4">
      <h3 className="text-sm font-semibold">{t("Events arrived but were not counted")}</h3>
      <ul className="mt-1.5 space-y-1 text-sm">
        {refused.map(({ reason, events }) => (
          <li key={reason} className="flex justify-between gap-4">
            <span>{refusalSentence(reason)}</span>
            <span className="text-muted tabular-nums">{events}×</span>
          </li>
        ))}
      </ul>
      {isElsewhere && (
        <p className="mt-2 text-sm text-muted">
          {rich(canChange ? ELSEWHERE_MANAGER : ELSEWHERE_VIEWER, {
            setting: localPages,
            domains: (text) => <TextLink href={`/sites/${siteId}/settings/domains`}>{text}</TextLink>,
            general: (text) => <TextLink href={`/sites/${siteId}/settings/general`}>{text}</TextLink>,
          })}
        </p>
      )}
    </div>
  );
}
