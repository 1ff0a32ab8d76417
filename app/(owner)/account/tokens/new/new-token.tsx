"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { ScopePicker } from "@/components/consent/scope-picker";
import { SitePicker } from "@/components/consent/site-picker";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { CopyLine } from "@/components/ui/copy-line";
import { Form } from "@/components/ui/form";
import { FreshKey } from "@/components/ui/fresh-key";
import { KeyFields } from "@/components/ui/key-fields";
import { rich } from "@/components/ui/rich";
import { TextLink } from "@/components/ui/text-link";
import type { Scope } from "@/lib/contract/access";
import type { AccessOptions } from "@/lib/oauth/consent";
import { TOKEN_DAYS } from "@/lib/platform/limits";
import { msg, t } from "@/lib/texts/translate";

interface Props {
  options: AccessOptions;
  tickedAtFirst: readonly Scope[];
  /** The public address of this service. */
  baseUrl: string;
}

const LIFETIMES = [
  { value: "7", label: msg("In 7 days") },
  { value: "30", label: msg("In 30 days") },
  { value: `${TOKEN_DAYS.usual}`, label: msg("In 90 days") },
  { value: "180", label: msg("In 180 days") },
  { value: `${TOKEN_DAYS.longest}`, label: msg("In a year") },
];

/** A form for a new token, and the token once it is made. */
export function NewToken({ options, tickedAtFirst, baseUrl }: Props) {
  const { perform, busy, problems } = useAction("tokens.create", {
    fields: ["name", "scopes", "site_ids"],
    fieldOfCode: { site_not_granted: "site_ids" },
  });
  const [scopes, setScopes] = useState<ReadonlySet<Scope>>(new Set(tickedAtFirst));
  const [sites, setSites] = useState<ReadonlySet<number>>(onlySite(options.sites));
  const [token, setToken] = useState<string>();

  async function submit(formData: FormData) {
    const made = await perform({
      name: String(formData.get("name")),
      scopes: [...scopes],
      site_ids: [...sites],
      expires_in_days: Number(formData.get("days")),
    });
    if (made) setToken(made.token);
  }

  if (token) return <Made token={token} baseUrl={baseUrl} />;
  return (
    <>
      <h1 className="text-2xl font-semibold">{t("New personal token")}</h1>
      <p className="mt-1 mb-5 text-muted">
        {rich("For a script of your own. Agents and assistants need none: they <link>ask you</link>.", {
          link: (text) => <TextLink href="/docs/connect">{text}</TextLink>,
        })}
      </p>
      <Form problem={problems.message} onSubmit={submit}>
        <div className="card flex flex-wrap items-start gap-3 p-4">
          <KeyFields
            example={t("Nightly export")}
            lifetimes={LIFETIMES}
            usual={`${TOKEN_DAYS.usual}`}
            problem={problems.fields.name}
          />
        </div>
        <ScopePicker
          requested={options.scopes}
          approvals={options.waits_for_approval}
          atOnce={options.made_without_asking}
          ticked={scopes}
          onChange={setScopes}
          problem={problems.fields.scopes}
        />
        <SitePicker
          sites={options.sites}
          ticked={sites}
          onChange={setSites}
          problem={problems.fields.site_ids}
          warning={undefined}
        />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" disabled={busy}>
            {busy ? t("Making…") : t("Make token")}
          </Button>
          <ButtonLink href="/account" look="quiet">
            {t("Cancel")}
          </ButtonLink>
        </div>
      </Form>
    </>
  );
}

/** The person's only site. */
const onlySite = (sites: AccessOptions["sites"]): ReadonlySet<number> =>
  new Set(sites.length === 1 ? sites.map(({ site_id }) => site_id) : []);

function Made({ token, baseUrl }: { token: string; baseUrl: string }) {
  const router = useRouter();
  return (
    <div className="space-y-4">
      <h1 className="text-2xl font-semibold">{t("New personal token")}</h1>
      <FreshKey
        title={t("Your new token")}
        secret={token}
        what={t("the token")}
        onDone={() => {
          router.push("/account");
          router.refresh();
        }}
      />
      <CopyLine
        label={t("List your sites with it")}
        text={`curl -H "Authorization: Bearer $FOOTFALL_TOKEN" ${baseUrl}/api/v1/management/actions/sites.list`}
        what={t("the command")}
      />
      <p className="text-sm text-muted">
        {rich(
          "<link>Authenticate a script</link> has the rest. Your account page shows when the token was used, and revokes it.",
          {
            link: (text) => <TextLink href="/docs/agents#script">{text}</TextLink>,
          },
        )}
      </p>
    </div>
  );
}
