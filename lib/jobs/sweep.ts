import { db } from "@/lib/platform/db";

const DAY_MS = 24 * 3600_000;
/** How long a human can look up what was asked and decided; what was done stays in the audit. */
const APPROVALS_KEPT_DAYS = 90;
/** How long a message to a webhook can be looked up, and an incident that is over. */
const DELIVERIES_KEPT_DAYS = 30;
const INCIDENTS_KEPT_DAYS = 365;
/** How long an ended challenge still says why it cannot be met. */
const CHALLENGES_KEPT_DAYS = 1;
/** How long a client that nobody ever approved may still find its human. */
const UNAPPROVED_KEPT_DAYS = 30;
/** How long the answer of an installation test can be read again. */
const TESTS_KEPT_DAYS = 30;

/**
 * Deletes what has ended by itself: sign-ins, links of letters, tokens, codes, remembered answers, counts, challenges,
 * old questions, messages and incidents.
 */
export async function sweepExpired(now: Date): Promise<void> {
  const over = { lt: now };
  const daysAgo = (days: number) => ({ lt: new Date(now.getTime() - days * DAY_MS) });
  await db().ownerSession.deleteMany({ where: { expiresAt: over } });
  await db().passwordReset.deleteMany({ where: { expiresAt: over } });
  await db().pendingSignup.deleteMany({ where: { expiresAt: over } });
  await db().invitation.deleteMany({ where: { expiresAt: over } });
  await db().accessToken.deleteMany({ where: { expiresAt: over } });
  // A used refresh token is kept as long as its family may live, so that its reuse is noticed; a device code long
  // enough that its agent is told how it ended.
  await db().refreshToken.deleteMany({ where: { endsAt: over } });
  await db().deviceCode.deleteMany({ where: { expiresAt: daysAgo(1) } });
  await db().idempotencyRecord.deleteMany({ where: { expiresAt: over } });
  // The key stays spent for longer than its answer is given.
  await db().idempotencyRecord.updateMany({
    where: { answerUntil: over, answer: { not: null } },
    data: { answer: null },
  });
  await db().rateCount.deleteMany({ where: { resetsAt: over } });
  await db().webhookDelivery.deleteMany({ where: { createdAt: daysAgo(DELIVERIES_KEPT_DAYS) } });
  await db().incident.deleteMany({ where: { endedAt: daysAgo(INCIDENTS_KEPT_DAYS) } });
  await db().approval.deleteMany({ where: { expiresAt: daysAgo(APPROVALS_KEPT_DAYS) } });
  await db().challenge.deleteMany({ where: { expiresAt: daysAgo(CHALLENGES_KEPT_DAYS) } });
  await db().installationTest.deleteMany({ where: { createdAt: daysAgo(TESTS_KEPT_DAYS) } });
  await db().client.deleteMany({
    where: {
      kind: "delegated",
      ownerId: null,
      createdAt: daysAgo(UNAPPROVED_KEPT_DAYS),
      devices: { none: { expiresAt: { gte: now } } },
    },
  });
}
