import type { Owner } from "@/lib/contract/define";
import { deliversEmail, outboxFolder, sendNow, writeEmail } from "@/lib/email/mailer";
import { requireRate } from "@/lib/platform/rate";
import { clip, plainText } from "@/lib/platform/text";
import { t } from "@/lib/texts/translate";

const TESTS = 10;
const WINDOW_MS = 10 * 60_000;
const LONGEST_ERROR = 500;

/** What became of a test email. */
export interface MailTest {
  to: string;
  /** Null unless it lies in this folder, because no mail server is configured. */
  outbox: string | null;
  /** What the mail server, or the connection to it, answered; null when it took the email. */
  error: string | null;
}

/** Sends an email to the administrator at once, beside the queue. @throws Refusal `rate_limited` after ten in ten minutes */
export async function testMail({ personId, email }: Owner, now: Date): Promise<MailTest> {
  await requireRate(`mail-test:${personId}`, TESTS, WINDOW_MS, now, "You sent ten test emails. Wait ten minutes.");
  const outbox = deliversEmail() ? null : outboxFolder();
  try {
    const message = writeEmail({ email, language: null }, () => ({
      subject: t("Test email"),
      paragraphs: [
        t("This email was sent with the button on the admin page. The mail server of this service has taken it."),
      ],
      why: t("you pressed the button that sends it"),
    }));
    await sendNow(message, now);
    return { to: email, outbox, error: null };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return { to: email, outbox, error: clip(plainText(said), LONGEST_ERROR) };
  }
}
