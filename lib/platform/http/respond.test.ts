import { expect, test } from "vitest";
import { answerOAuth } from "@/lib/oauth/entry-point";
import type { Db } from "@/lib/platform/db";
import { refuse } from "@/lib/platform/http/respond";
import { deadlock } from "@/lib/testing/locks";
import { makeAgent, postAuth } from "@/lib/testing/oauth";

/** What a caller is answered when another call was in the way. */

const ways = {
  "a statement of Prisma": (tx: Db, key: string) => tx.rateCount.update({ where: { key }, data: { hits: 1 } }),
  "a statement of ours": (tx: Db, key: string) => tx.$executeRaw`UPDATE rate_count SET hits = 1 WHERE key = ${key}`,
};

for (const [way, work] of Object.entries(ways)) {
  test(`of two calls that wait for each other the one that is ended is told to come again, never 500: ${way}`, async () => {
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
