import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { counted, expect, type Machines, type Owner, type Stories, test } from "./support/stories";

type Parts = Pick<Stories, "site" | "visitor"> & Pick<Machines, "web">;

const LONG = "a-page-with-quite-a-long-address/that-does-not-fit-on-a-phone/and-goes-on-and-on-for-ever";

/** Pages that anyone may see: the address, and the heading by which it is complete. */
const PUBLIC: [path: string, heading: string][] = [
  ["/", "See who comes by"],
  ["/login", "Sign in"],
  ["/signup", "Create an account"],
  ["/reset", "Forgot your password?"],
  ["/reset/made-up", "This link has ended"],
  ["/invite/made-up", "This invitation has ended"],
  ["/no-such-page", "There is nothing here"],
];

/** The owner's pages, of a site on which a page was read and of one where nothing has happened yet. */
async function ownedPages(owner: Owner, { site, visitor, web }: Parts): Promise<[path: string, heading: string][]> {
  const [busy, quiet] = [await site(owner), await site(owner)];
  const { page } = await visitor();
  await counted(page, "pageview", () => page.goto(web.at(busy.host, `/${LONG}?utm_source=${LONG}`)));
  return [
    ["/sites", "Your sites"],
    ["/sites/new", "Add a site"],
    [`/sites/${busy.siteId}/install`, "Events are arriving"],
    [`/sites/${busy.siteId}`, "Devices"],
    [`/sites/${busy.siteId}/settings/people`, "Invite someone"],
    [`/sites/${busy.siteId}/settings/danger`, "Delete the site"],
    ["/account", "Where you are signed in"],
    [`/sites/${quiet.siteId}/install`, "Waiting for the first event"],
    [`/sites/${quiet.siteId}`, "Waiting for the first visit"],
  ];
}

async function show(page: Page, [path, heading]: [string, string]): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("heading", { name: heading }).first()).toBeVisible();
}

async function findFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds no fault on any page in ${colorScheme}`, async ({ open, owner, site, visitor, web }) => {
    const guest = await open({ colorScheme, reducedMotion: "reduce" });
    for (const page of PUBLIC) {
      await show(guest, page);
      expect.soft(await findFaults(guest), page[0]).toEqual([]);
    }
    const ann = await owner();
    await ann.page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    expect.soft(await findFaults(ann.page), "/sites without a site").toEqual([]);
    for (const page of await ownedPages(ann, { site, visitor, web })) {
      await show(ann.page, page);
      expect.soft(await findFaults(ann.page), page[0]).toEqual([]);
    }
  });
}

test("no page scrolls sideways on a phone", async ({ open, owner, site, visitor, web }) => {
  const viewport = { width: 390, height: 844 };
  const overflow = (page: Page) =>
    page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  const guest = await open({ viewport });
  for (const page of PUBLIC) {
    await show(guest, page);
    expect.soft(await overflow(guest), page[0]).toBe(0);
  }
  const ann = await owner();
  await ann.page.setViewportSize(viewport);
  expect.soft(await overflow(ann.page), "/sites without a site").toBe(0);
  for (const page of await ownedPages(ann, { site, visitor, web })) {
    await show(ann.page, page);
    expect.soft(await overflow(ann.page), page[0]).toBe(0);
  }
});
