import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { toggled } from "@/components/ui/toggled";
import type { Role } from "@/lib/contract/access";
import type { ConsentRequest } from "@/lib/oauth/consent";
import { msg, t } from "@/lib/texts/translate";

const YOU_ARE: Record<Role, string> = {
  owner: msg("You are an owner."),
  manager: msg("You are a manager."),
  viewer: msg("You are a viewer."),
};
const YOU_ARE_AND_IT_HAS: Record<Role, string> = {
  owner: msg("You are an owner; it already has access."),
  manager: msg("You are a manager; it already has access."),
  viewer: msg("You are a viewer; it already has access."),
};

interface Props {
  sites: ConsentRequest["sites"];
  ticked: ReadonlySet<number>;
  onChange(ticked: ReadonlySet<number>): void;
  problem: string | undefined;
  /** Consequence of a choice that may be a mistake. */
  warning: string | undefined;
}

/** The person's sites. The agent never gets a higher role on a site than the person has. */
export function SitePicker({ sites, ticked, onChange, problem, warning }: Props) {
  const all = sites.length > 0 && ticked.size === sites.length;
  return (
    <section className="card overflow-hidden" aria-labelledby="on">
      <div className="flex min-h-12 items-center justify-between gap-4 px-4 pt-1">
        <div className="flex flex-wrap items-baseline gap-x-2 py-2">
          <h2 id="on" className="text-[0.9375rem] font-semibold">
            {t("Sites")}
          </h2>
          {sites.length > 1 && (
            <span className="text-sm text-muted tabular-nums">
              {t("{count} of {total} chosen", { count: ticked.size, total: sites.length })}
            </span>
          )}
        </div>
        {sites.length > 1 && (
          <Button
            look="bare"
            size="small"
            className="-mr-3"
            onClick={() => onChange(new Set(all ? [] : sites.map((site) => site.site_id)))}
          >
            {all ? t("Select none") : t("Select all")}
          </Button>
        )}
      </div>
      {problem && (
        <p role="alert" className="px-4 pb-2 text-sm text-bad">
          {problem}
        </p>
      )}
      {warning && !problem && (
        <p role="alert" className="px-4 pb-2 text-sm font-medium text-warn">
          {warning}
        </p>
      )}
      {sites.length === 0 ? (
        <p className="border-t border-line px-4 py-3 text-sm text-muted">{t("You have no site yet.")}</p>
      ) : (
        <fieldset className="max-h-80 min-w-0 overflow-y-auto border-t border-line py-1.5">
          <legend className="sr-only">{t("Sites")}</legend>
          {sites.map(({ site_id, domain, name, role, granted }) => (
            <Checkbox
              key={site_id}
              checked={ticked.has(site_id)}
              onChange={() => onChange(toggled(ticked, site_id))}
              label={name || domain}
              hint={`${name ? `${domain}. ` : ""}${t(granted ? YOU_ARE_AND_IT_HAS[role] : YOU_ARE[role])}`}
            />
          ))}
        </fieldset>
      )}
    </section>
  );
}
