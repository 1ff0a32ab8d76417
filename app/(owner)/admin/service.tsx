import { Fact, Facts } from "@/components/ui/facts";
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
          <Fact name="Version">
            Footfall {version} on Node {process.versions.node} and PostgreSQL {postgres}
          </Fact>
          <Fact name="Address">{BASE_URL}</Fact>
          <Fact name="New accounts">{SIGN_UP[SIGNUP]}</Fact>
          <Fact name="Quota">
            {EVENTS_PER_MONTH === undefined
              ? t("None")
              : `${formatExactly(EVENTS_PER_MONTH)} events per site and month`}
            {SIGNUP === "open" &&
              unproven < (EVENTS_PER_MONTH ?? Infinity) &&
              `; ${formatExactly(unproven)} for sites of others without a proven domain`}
          </Fact>
          <Fact name="Emails">
            <Emails backlog={backlog} now={now} />
            <TestMail />
          </Fact>
          {backlog.purges > 0 && (
            <Fact name="Deleted sites">{formatExactly(backlog.purges)} whose data is still being deleted</Fact>
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
        SMTP is not set up, so nobody gets emails: {formatExactly(outbox)} {outbox === 1 ? "lies" : "lie"} in{" "}
        {outboxFolder()}. Set SMTP_URL to send new ones.
      </span>
    )}
    {since === null ? (
      outbox === null && t("None waiting")
    ) : (
      <>
        {formatExactly(emails)} {emails === 1 ? "email" : "emails"} waiting, the oldest from{" "}
        <When at={since} now={now} />
      </>
    )}
  </>
);
