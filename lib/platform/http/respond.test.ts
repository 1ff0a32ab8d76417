import { expect, test } from "vitest";
import { answerOAuth } from "@/lib/oauth/entry-point";
import type { Db } from "@/lib/platform/db";
import { refuse } from "@/lib/platform/http/respond";
import { deadlock } from "@/lib/testing/locks";
import { makeAgent, postAuth } from "@/lib/testing/oauth";

/** Answers to calls that lost a lock conflict. */

const statements = {
  "a Prisma statement": (tx: Db, key: string) => tx.rateCount.update({ where: { key }, data: { hits: 1 } }),
  "raw SQL": (tx: Db, key: string) => tx.$executeRaw`UPDATE rate_count SET hits = 1 WHERE key = ${key}`,
};

for (const [statement, work] of Object.entries(statements)) {
  test(`the losing call of a deadlock is asked to retry, never answered with 500: ${statement}`, async () => {
    const error = await deadlock(work);
    expect(error).toBeInstanceOf(Error);
    const { status, headers, body } = refuse(error, "test");
    expect([status, JSON.parse(body).error.code, headers["retry-after"]]).toEqual([409, "operation_in_progress", "1"]);

    const agent = await makeAgent({ kind: "machine", scopes: ["sites:read"] });
    const failing = { id: "token", run: () => Promise.reject(error) };
    const form = Buffer.from(`${new URLSearchParams(postAuth(agent))}`);
    const request = {
      method: "POST",
      query: new URLSearchParams(),
      header: (name: string) => (name === "content-type" ? "application/x-www-form-urlencoded" : null),
      bytes: async () => form,
    };
    const answer = await answerOAuth(failing, request, new Date());
    expect([answer.status, JSON.parse(answer.body).error, answer.headers["retry-after"]]).toEqual([
      503,
      "temporarily_unavailable",
      "1",
    ]);
  });
}
