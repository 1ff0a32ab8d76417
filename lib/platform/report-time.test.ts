import { expect, test } from "vitest";
import { CONNECTIONS, SINGLE_THREAD } from "@/lib/platform/connections";
import { Refusal } from "@/lib/platform/errors";
import { REPORT_LIMITS } from "@/lib/platform/limits";
import { anonymousShares, exportShares, SERVICE_SHARES, type Shares, sharesOf } from "@/lib/platform/report-shares";
import { ReportTime } from "@/lib/platform/report-time";
import { REPORTS_OF_ONE_CALLER } from "@/lib/platform/reports";

const agentOf = (personId: number | null, clientId = "c"): Shares => sharesOf({ kind: "client", clientId, personId });

/** A budget whose clock the test moves, in seconds. */
function timed() {
  let now = 0;
  const time = new ReportTime(() => now * 1000);
  const refusal = (shares: Shares): Refusal | null => {
    try {
      time.refuseSpent(shares);
      return null;
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  };
  return {
    use: (shares: Shares, seconds: number) => time.charge(shares, seconds * 1000),
    pass: (seconds: number) => {
      now += seconds;
    },
    refusal,
  };
}

test("a caller who used 120 seconds of report time in a minute is refused until some of it has drained", () => {
  const { use, pass, refusal } = timed();
  const person = sharesOf({ kind: "owner", personId: 1 });
  use(person, 119);
  expect(refusal(person)).toBeNull();
  use(person, 7);
  expect(refusal(person)).toMatchObject({
    code: "rate_limited",
    status: 429,
    retryAfter: 3,
    details: { budget: { report_seconds: 120, per_seconds: 60, of: "your account, with all of its agents" } },
  });
  expect(refusal(sharesOf({ kind: "owner", personId: 2 }))).toBeNull();
  pass(2);
  expect(refusal(person)?.retryAfter).toBe(1);
  pass(2);
  expect(refusal(person)).toBeNull();
});

test("report time of agents counts towards their person, and a single agent cannot use all of it", () => {
  const { use, refusal } = timed();
  use(agentOf(1, "x"), 90);
  expect(refusal(agentOf(1, "x"))).toMatchObject({ details: { budget: { of: "this client", report_seconds: 90 } } });
  expect(refusal(sharesOf({ kind: "owner", personId: 1 }))).toBeNull();
  use(agentOf(1, "y"), 30);
  for (const shares of [sharesOf({ kind: "owner", personId: 1 }), agentOf(1, "y"), agentOf(1, "z")])
    expect(refusal(shares)).toMatchObject({ details: { budget: { of: "your account, with all of its agents" } } });
  expect(refusal(agentOf(null, "machine"))).toBeNull();
});

test("addresses of a network share its report time, and all networks share the report time of anonymous callers", () => {
  const { use, refusal } = timed();
  use(anonymousShares("198.51.100.1"), 30);
  expect(refusal(anonymousShares("198.51.100.250"))).toMatchObject({ details: { budget: { of: "your network" } } });
  expect(refusal(anonymousShares("198.51.101.1"))).toBeNull();
  use(anonymousShares("2001:db8:1:2::1"), 30);
  expect(refusal(anonymousShares("2001:db8:9:9::1"))).toMatchObject({
    details: { budget: { of: "public dashboards" } },
  });
});

test("an export is charged to its person and has no time budget of its own", () => {
  const { use, refusal } = timed();
  use(exportShares({ kind: "owner", personId: 1 }), 125);
  expect(refusal(sharesOf({ kind: "owner", personId: 1 }))).not.toBeNull();
  expect(refusal([exportShares({ kind: "owner", personId: 1 })[1] as Shares[0]])).toBeNull();
});

test("no caller may hold all report connections, and all anonymous callers together may hold half of them", () => {
  const connections = Math.min(CONNECTIONS.main.reports, SINGLE_THREAD.reports);
  for (const { running } of [...Object.values(REPORT_LIMITS), ...SERVICE_SHARES, { running: REPORTS_OF_ONE_CALLER }])
    expect(running).toBeLessThan(connections);
  expect(REPORT_LIMITS.anonymous.running).toBeLessThanOrEqual(connections / 2);
});
