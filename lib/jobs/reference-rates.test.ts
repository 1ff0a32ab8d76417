import type { RequestListener } from "node:http";
import { expect, test } from "vitest";
import { readRates, refreshRates } from "@/lib/jobs/reference-rates";
import { db } from "@/lib/platform/db";
import { serversForTests } from "@/lib/testing/internet";
import { makeSite } from "@/lib/testing/world";

/** Serves the bank's files on loopback. */

const { hosted } = serversForTests();

/** A bank server with the given responses, the Internet to reach it, and a site that gets its rates. */
async function bank(answer: RequestListener) {
  const { host, server, internet } = await hosted(answer);
  const files = { daily: `https://${host}/daily.xml`, history: `https://${host}/hist.xml` };
  const { id: siteId } = await makeSite();
  const refresh = (now: string, source: "ecb" | "off" = "ecb") =>
    refreshRates(new Date(now), { files, internet, siteId, source });
  const known = async (currency: string) => {
    const rows = await db().exchangeRate.findMany({ where: { siteId, currency }, orderBy: { day: "asc" } });
    return rows.map(({ day, perEuro }) => `${day.toISOString().slice(0, 10)} ${perEuro.toFixed()}`);
  };
  return { server, refresh, known };
}

const envelope = (cubes: string) => `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
	<gesmes:subject>Reference rates</gesmes:subject>
	<gesmes:Sender>
		<gesmes:name>European Central Bank</gesmes:name>
	</gesmes:Sender>
	<Cube>${cubes}</Cube>
</gesmes:Envelope>`;
const daily = (day: string, usd: string) =>
  envelope(`
		<Cube time='${day}'>
			<Cube currency='USD' rate='${usd}'/>
			<Cube currency='JPY' rate='161.49'/>
		</Cube>
	`);

test("with EXCHANGE_RATES=off nothing is fetched, and stored rates stay", async () => {
  const { server, refresh, known } = await bank((_, response) => response.end(daily("2026-03-06", "1.12")));
  expect(await refresh("2026-03-05T18:00:00Z", "off")).toBe("off");
  expect([server.requestedPaths, await known("USD")]).toEqual([[], []]);
  await refresh("2026-03-06T18:00:00Z");
  expect(await refresh("2026-03-09T18:00:00Z", "off")).toBe("off");
  expect(await known("USD")).toEqual(["2026-03-06 1.12"]);
});

test("the history is fetched first, then each working day once, and none on a weekend", async () => {
  const history = envelope(
    '<Cube time="2026-03-05"><Cube currency="USD" rate="1.1"/></Cube><Cube time="2026-03-04"><Cube currency="USD" rate="1.09"/><Cube currency="ISK" rate="N/A"/></Cube>',
  );
  let today = daily("2026-03-06", "1.12");
  const { server, refresh, known } = await bank((request, response) =>
    response.end(request.url === "/hist.xml" ? history : today),
  );
  // Thursday evening, Friday before and after publication, Sunday, Monday morning, Monday evening.
  expect(await refresh("2026-03-05T18:00:00Z")).toBe("stored");
  expect(await refresh("2026-03-06T09:00:00Z")).toBe("current");
  expect(await refresh("2026-03-06T15:45:00Z")).toBe("stored");
  expect(await refresh("2026-03-08T20:00:00Z")).toBe("current");
  expect(await refresh("2026-03-09T09:00:00Z")).toBe("current");
  today = daily("2026-03-09", "1.13");
  expect(await refresh("2026-03-09T15:45:00Z")).toBe("stored");
  expect(server.requestedPaths).toEqual(["/hist.xml", "/daily.xml", "/daily.xml"]);
  expect(await known("USD")).toEqual(["2026-03-04 1.09", "2026-03-05 1.1", "2026-03-06 1.12", "2026-03-09 1.13"]);
  expect(await known("ISK")).toEqual([]);
});

test("an unreadable file changes nothing and does not fail the job, and the next run tries again", async () => {
  const answers = [
    (response: Parameters<RequestListener>[1]) => response.writeHead(503).end(),
    (response: Parameters<RequestListener>[1]) => response.end("<html>maintenance</html>"),
    (response: Parameters<RequestListener>[1]) => response.end(Buffer.alloc(1024 * 1024 + 1, "x")),
    (response: Parameters<RequestListener>[1]) => response.destroy(),
    (response: Parameters<RequestListener>[1]) => response.end(daily("2026-03-04", "1.2")),
  ];
  const { refresh, known } = await bank((_, response) => void answers.shift()?.(response));
  const ends = [];
  while (answers.length > 0) ends.push(await refresh("2026-03-04T18:00:00Z"));
  expect(ends).toEqual(["unreachable", "unreachable", "unreachable", "unreachable", "stored"]);
  expect(await known("USD")).toEqual(["2026-03-04 1.2"]);
});

test.each([
  ["no rates", envelope("")],
  ["a rate without a day", envelope("<Cube currency='USD' rate='1.1'/>")],
  ["a zero rate", envelope("<Cube time='2025-03-11'><Cube currency='USD' rate='0'/></Cube>")],
  ["a negative rate", envelope("<Cube time='2025-03-11'><Cube currency='USD' rate='-1'/></Cube>")],
  ["a rate with a comma", envelope("<Cube time='2025-03-11'><Cube currency='USD' rate='1,1'/></Cube>")],
  ["an invalid currency", envelope("<Cube time='2025-03-11'><Cube currency='usd' rate='1.1'/></Cube>")],
  ["an invalid day", envelope("<Cube time='2025-13-41'><Cube currency='USD' rate='1.1'/></Cube>")],
  ["a day that does not exist", envelope("<Cube time='2025-02-30'><Cube currency='USD' rate='1.1'/></Cube>")],
  ["a future day", envelope("<Cube time='2025-03-20'><Cube currency='USD' rate='1.1'/></Cube>")],
  ["an unknown attribute", envelope("<Cube time='2025-03-11'><Cube currency='USD' rate='1.1' x='y'/></Cube>")],
  ["entities", `<!DOCTYPE a [<!ENTITY b "c">]>${daily("2025-03-11", "1.1")}`],
  ["another format", "USD,1.1"],
])("a file with %s is refused as a whole", (_, xml) => {
  expect(readRates(xml, new Date("2025-03-12T15:30:00Z"))).toBeNull();
});

test("a file in the bank's format is parsed day by day", () => {
  expect(readRates(daily("2025-03-11", "1.0921"), new Date("2025-03-12T15:30:00Z"))).toEqual([
    { currency: "USD", day: "2025-03-11", perEuro: "1.0921" },
    { currency: "JPY", day: "2025-03-11", perEuro: "161.49" },
  ]);
});
