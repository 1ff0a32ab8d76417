import type { Page } from "@playwright/test";
import { SETTINGS_PATHS } from "@/components/shell/settings-pages";
import { REPORTS } from "@/lib/contract/reports";
import { OWNER_PATHS } from "@/lib/testing/owner-paths";
import { CATALOGUES } from "@/lib/texts/catalogues";
import type { TranslatedLanguage } from "@/lib/texts/languages";
import { expectAccessible } from "./support/accessibility";
import { postPageview } from "./support/events";
import { expect, findInEmail, test } from "./support/fixtures";
import { forms } from "./support/forms";

/** The interface and emails in the reader's language. */

/** Fails for each visible text of the open page that is English although it has a translation. */
async function expectTranslated(page: Page, language: TranslatedLanguage): Promise<void> {
  await expect(page.locator("html")).toHaveAttribute("lang", language);
  const texts = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const { parentElement: parent, textContent } = node;
      if (parent?.checkVisibility() && !parent.closest("code, pre, bdi, [lang]:not(html)"))
        found.push(`${textContent}`.trim());
    }
    for (const one of document.querySelectorAll("[aria-label], [title], [placeholder]")) {
      for (const name of ["aria-label", "title", "placeholder"]) found.push(one.getAttribute(name) ?? "");
    }
    return found;
  });
  const catalogue: Readonly<Record<string, string>> = CATALOGUES[language];
  const translations = new Set(Object.values(catalogue));
  const english = texts.filter((text) => Object.hasOwn(catalogue, text) && !translations.has(text));
  expect.soft([...new Set(english)], page.url()).toEqual([]);
}

test("an owner reads pages and emails in the browser's language, and in the one that they choose in every browser", async ({
  siteOwner: { page: english, email, password, siteId, host },
  server,
  fresh,
}) => {
  await postPageview(server, { host });
  const storageState = await english.context().storageState();
  const page = await fresh({ locale: "de-DE", storageState });
  await page.goto(`/sites/${siteId}`);
  await expect(page.getByRole("button", { name: /^Besucher 1(?!\d)/ })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Aufrufe pro Besuch 1,0/ })).toBeVisible();
  await expectTranslated(page, "de");
  await expectAccessible(page, "the dashboard in German");
  await page.goto(`/sites/${siteId}/settings/general`);
  await expect(page.getByRole("link", { name: "Gefahrenbereich" })).toBeVisible();
  await expectTranslated(page, "de");
  await page.getByRole("textbox", { name: /^Name/ }).fill("N".repeat(256));
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(page.getByText(/darf höchstens \d+ Zeichen haben/)).toBeVisible();

  await page.getByRole("button", { name: "Konto:" }).click();
  await expectAccessible(page, "the languages in the menu of the account");
  await page.getByRole("menuitemradio", { name: "Español" }).click();
  await expect(page.getByRole("link", { name: "Zona de peligro" })).toBeVisible();
  await expectTranslated(page, "es");

  const { data } = await (await page.request.get("/actions/csrf")).json();
  const headers = { origin: server.url, "x-csrf-token": data.csrf_token };
  const sent = await page.request.post("/actions/sites.reports.send_now", {
    headers,
    data: { site_id: siteId, cadence: "weekly" },
  });
  expect(sent.status()).toBe(200);
  expect(await findInEmail(server, email, /(Recibes este correo porque)/)).toBeTruthy();
  expect(await findInEmail(server, email, /Subject: \S+: 0 (visitantes)/)).toBeTruthy();

  const elsewhere = await fresh({ locale: "de-DE" });
  await forms(elsewhere.request, server.url).signIn({ email, password });
  await elsewhere.goto(`/sites/${siteId}/settings/general`);
  await expectTranslated(elsewhere, "es");
});

test("a reader without an account chooses a language at the end of a page, and keeps it", async ({ fresh }) => {
  const page = await fresh({ locale: "en-US" });
  await page.goto("/login");
  const choice = page.getByLabel("Language");
  await expect(choice).toHaveValue("en");
  await choice.selectOption("Deutsch");
  await expect(page.getByLabel("Sprache")).toHaveValue("de");
  await page.goto("/reset");
  await expectTranslated(page, "de");
});

const OF_A_SITE = [
  "",
  ...Object.keys(REPORTS).map((report) => `/reports/${report}`),
  ...Object.values(SETTINGS_PATHS).map((path) => `/${path}`),
];
test("no page of an owner shows an English text that has a translation", { tag: "@full" }, async ({
  siteOwner: { page: english, siteId, host },
  server,
  fresh,
}) => {
  await postPageview(server, { host });
  const page = await fresh({ locale: "de-DE", storageState: await english.context().storageState() });
  for (const path of OF_A_SITE.map((one) => `/sites/${siteId}${one}`).concat(OWNER_PATHS)) {
    await page.goto(path);
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    await expectTranslated(page, "de");
  }
});
