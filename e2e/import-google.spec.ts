import { searchProviderServer } from "@/lib/testing/search-provider";
import { expectAccessible } from "./support/accessibility";
import { expect, test } from "./support/fixtures";
import { forms } from "./support/forms";
import { startServer } from "./support/server";

/** Import of Google Analytics on the settings page, with a provider that speaks the documented protocol, and of unknown columns. */

const DAYS = ["2026-11-01", "2026-11-02", "2026-11-03"];

test("an owner connects Google Analytics, chooses a property and days, sees them, imports and disconnects", {
  tag: "@full",
}, async ({ browser }) => {
  const provider = await searchProviderServer();
  provider.account.analytics = [
    {
      name: "Garden Ltd",
      properties: [
        { property: "properties/10", name: "Blog", timezone: "UTC", sessions: [] },
        {
          property: "properties/11",
          name: "Garden shop",
          timezone: "Europe/Berlin",
          metadata: { subjectToThresholding: true },
          sessions: DAYS.flatMap((day) =>
            ["ann", "ben"].map((user) => ({
              day,
              user,
              views: ["/", "/shears"],
              seconds: 60,
              dimensions: { countryId: "DE" },
            })),
          ),
        },
      ],
    },
  ];
  const server = await startServer(provider.env);
  const page = await browser.newPage({ baseURL: server.url });
  try {
    const our = forms(page.request, server.url);
    await our.signUp("owner@example.com", server);
    const siteId = await our.addSite("garden-shop.example");
    await page.goto(`/sites/${siteId}/settings/import`);
    const google = page.getByRole("region", { name: "Fetch from Google Analytics" });
    await google.getByRole("button", { name: "Connect a Google account" }).click();
    await page.getByRole("link", { name: "Allow" }).click();
    await expect(page.getByText("Connected to Google Analytics. Choose a property")).toBeVisible();
    await google.getByLabel("Property").selectOption("Garden shop");
    await google.getByLabel("First day").fill("2026-11-03");
    await google.getByLabel("Last day").fill("2026-11-01");
    await google.getByRole("button", { name: "Fetch" }).click();
    await expect(google.getByText("must not be before the first day")).toBeVisible();
    await expectAccessible(page, "settings of a connected Google account");
    await google.getByLabel("First day").fill("2026-11-01");
    await google.getByLabel("Last day").fill("2026-11-03");
    await google.getByRole("button", { name: "Fetch" }).click();
    await expect(page.getByRole("button", { name: "Import 3 days" })).toBeVisible();
    await expect(page.getByRole("definition").filter({ hasText: "Its days are those of Europe/Berlin" })).toBeVisible();
    await page.getByRole("button", { name: "Import 3 days" }).click();
    await expect(page.getByText("3 days of Google Analytics 4 imported.")).toBeVisible();
    await google.getByRole("button", { name: "Disconnect" }).click();
    await expect(google.getByRole("button", { name: "Connect a Google account" })).toBeVisible();
  } finally {
    await page.context().close();
    await server.stop();
    await provider.stop();
  }
});

test("an owner says what columns of an unknown language mean, and imports the file", async ({
  siteOwner: { page, siteId },
}) => {
  const text = "Datum,Besoekers,Besoeke,Kyke\n20240301,8,10,25\n20240302,3,4,5\n";
  await page.goto(`/sites/${siteId}/settings/import`);
  await page
    .getByLabel("Choose files")
    .setInputFiles({ name: "af.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await expect(page.getByLabel("Meaning of Besoekers in af.csv")).toHaveValue("visitors");
  await expectAccessible(page, "questions about columns");
  await page.getByLabel("Meaning of Kyke in af.csv").selectOption("Views");
  await page.getByRole("button", { name: "Check again" }).click();
  await page.getByRole("button", { name: "Import 2 days" }).click();
  await expect(page.getByText("2 days of Google Analytics 4 imported.")).toBeVisible();
});
