import { endExpiredTokens } from "@/lib/oauth/personal-tokens";
import { db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { UNUSED_REGISTRATION_DAYS } from "@/lib/platform/limits";

/** Days that approvals stay in the inbox. Executed operations stay in the audit log. */
const APPROVAL_RETENTION_DAYS = 90;
const DELIVERY_RETENTION_DAYS = 30;
/** Days that an address which has not confirmed stays in the list, so that people see it. */
const UNCONFIRMED_RETENTION_DAYS = 30;
/** Counted from the end of the incident, or from the alert. */
const INCIDENT_RETENTION_DAYS = 365;
/** Expired challenges stay for a day, so that their error explains why they cannot be used. */
const CHALLENGE_RETENTION_DAYS = 1;
/** Days until a client without a consent is deleted. */
const UNAPPROVED_RETENTION_DAYS = 30;
/** Days that results of installation tests can be read. */
const TEST_RETENTION_DAYS = 30;

/**
 * Deletes expired rows: sessions, emailed links, tokens, codes, stored answers, rate counts, challenges, approvals,
 * webhook deliveries, alerts, incidents, recipients that never confirmed, installation tests, and clients and assistants without a consent. Ends expired personal
 * tokens.
 */
export async function sweepExpired(now: Date): Promise<void> {
  const past = { lt: now };
  const daysAgo = (days: number) => ({ lt: new Date(now.getTime() - days * DAY_MS) });
  await endExpiredTokens(now);
  await db().ownerSession.deleteMany({ where: { expiresAt: past } });
  await db().searchAuthorization.deleteMany({ where: { expiresAt: past } });
  await db().passwordReset.deleteMany({ where: { expiresAt: past } });
  await db().emailChange.deleteMany({ where: { expiresAt: past } });
  await db().passkeyChallenge.deleteMany({ where: { expiresAt: past } });
  await db().pendingSignup.deleteMany({ where: { expiresAt: past } });
  await db().invitation.deleteMany({ where: { expiresAt: past } });
  await db().accessToken.deleteMany({ where: { expiresAt: past } });
  // Used refresh tokens stay for the lifetime of their family, to detect reuse; device codes stay for a day, so that
  // polling agents learn the outcome.
  await db().refreshToken.deleteMany({ where: { familyExpiresAt: past } });
  await db().deviceCode.deleteMany({ where: { expiresAt: daysAgo(1) } });
  // Used codes stay for a day, to detect reuse.
  await db().authorizationCode.deleteMany({ where: { expiresAt: daysAgo(1) } });
  await db().assistant.deleteMany({ where: { createdAt: daysAgo(UNUSED_REGISTRATION_DAYS), clients: { none: {} } } });
  await db().idempotencyRecord.deleteMany({ where: { expiresAt: past } });
  // The key stays reserved after its answer is deleted.
  await db().idempotencyRecord.updateMany({
    where: { answerUntil: past, answer: { not: null } },
    data: { answer: null },
  });
  await db().rateCount.deleteMany({ where: { resetsAt: past } });
  await db().webhookDelivery.deleteMany({ where: { createdAt: daysAgo(DELIVERY_RETENTION_DAYS) } });
  await db().alertMessage.deleteMany({ where: { createdAt: daysAgo(DELIVERY_RETENTION_DAYS) } });
  await db().alert.deleteMany({ where: { firedAt: daysAgo(INCIDENT_RETENTION_DAYS) } });
  await db().recipient.deleteMany({ where: { confirmedAt: null, tokenUntil: daysAgo(UNCONFIRMED_RETENTION_DAYS) } });
  await db().incident.deleteMany({ where: { endedAt: daysAgo(INCIDENT_RETENTION_DAYS) } });
  await db().approval.deleteMany({ where: { expiresAt: daysAgo(APPROVAL_RETENTION_DAYS) } });
  await db().challenge.deleteMany({ where: { expiresAt: daysAgo(CHALLENGE_RETENTION_DAYS) } });
  await db().installationTest.deleteMany({ where: { createdAt: daysAgo(TEST_RETENTION_DAYS) } });
  await db().client.deleteMany({
    where: {
      kind: "delegated",
      ownerId: null,
      createdAt: daysAgo(UNAPPROVED_RETENTION_DAYS),
      devices: { none: { expiresAt: { gte: now } } },
    },
  });
}
