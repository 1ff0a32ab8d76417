import { Fact, Facts } from "@/components/ui/facts";
import { rich } from "@/components/ui/rich";
import { Section } from "@/components/ui/section";
import { When } from "@/components/ui/when";
import type { Backlog } from "@/lib/admin/overview";
import { formatExactly } from "@/lib/contract/numbers";
import { outboxFolder } from "@/lib/email/mailer";
import { env } from "@/lib/platform/env";
import { msg, t } from "@/lib/texts/translate";
import { version } from "@/package.json";
import { TestMail } from "./test-mail";

const SIGN_UP = { open: msg("Open to everyone"), invite: msg("By invitation to a site"), closed: msg("Closed") };

/** Versions, configuration and pending work of the service. */
export function Service({ postgres, backlog, now }: { postgres: string; backlog: Backlog; now: Date }) {
  const { SIGNUP, EVENTS_PER_MONTH, UNPROVEN_EVENTS_PER_MONTH: unproven, BASE_URL } = env();
  return (
    <Section title={t("This service")}>
      <div className="-my-2.5">
        <Facts>
          <Fact name={t("Version")}>
            {t("Footfall {version} on Node {node} and PostgreSQL {postgres}", {
              version,
              node: process.versions.node,
              postgres,
            })}
          </Fact>
          <Fact name={t("Address")}>{BASE_URL}</Fact>
          <Fact name={t("New accounts")}>{t(SIGN_UP[SIGNUP])}</Fact>
          <Fact name={t("Quota")}>
            {EVENTS_PER_MONTH === undefined
              ? t("None")
              : t("{events} events per site and month", { events: formatExactly(EVENTS_PER_MONTH) })}
            {SIGNUP === "open" &&
              unproven < (EVENTS_PER_MONTH ?? Infinity) &&
              `; ${t("{events} for sites of others without a proven domain", { events: formatExactly(unproven) })}`}
          </Fact>
          <Fact name={t("Emails")}>
            <Emails backlog={backlog} now={now} />
            <TestMail />
          </Fact>
          {backlog.purges > 0 && (
            <Fact name={t("Deleted sites")}>
              {t("{count} whose data is still being deleted", { count: formatExactly(backlog.purges) })}
            </Fact>
          )}
        </Facts>
      </div>
    </Section>
  );
}

/** What happens to emails: without a mail server nobody gets them. */
const Emails = ({ backlog: { emails, since, outbox }, now }: { backlog: Backlog; now: Date }) => (
  <>
    {outbox !== null && (
      <span className="block [overflow-wrap:anywhere]">
        {t(
          "SMTP is not set up, so nobody gets emails: {count, plural, one {# lies} other {# lie}} in {folder}. Set SMTP_URL to send new ones.",
          { count: outbox, folder: outboxFolder() },
        )}
      </span>
    )}
    {since === null
      ? outbox === null && t("None waiting")
      : rich("{count, plural, one {# email} other {# emails}} waiting, the oldest from {when}", {
          count: emails,
          when: <When at={since} now={now} />,
        })}
  </>
);
