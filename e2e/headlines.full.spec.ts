import { postPageview } from "./support/events";
import { expect, test } from "./support/fixtures";

/** What the headline numbers of a dashboard explain about themselves. */

const NAMES = ["Visitors", "Visits", "Pageviews", "Views per visit", "Bounce rate", "Visit duration"];

test("the definition of each headline number shows on the screen, with the mouse and with the keyboard", async ({
  siteOwner: shop,
  server,
}) => {
  const { page } = shop;
  await postPageview(server, shop);
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const width of [1024, 1920, 700, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`/sites/${shop.siteId}?period=7d`);
    await expect(page.getByRole("slider", { name: "Visitors by day" })).toBeVisible();
    for (const [index, name] of NAMES.entries()) {
      const tile = page.getByRole("button", { name: new RegExp(`^${name}`), pressed: index === 0 }).first();
      const definition = page.locator(`[id="${await tile.getAttribute("aria-describedby")}"]`);
      const box = await definition.boundingBox();
      if (!box) throw new Error("The definition has no box");
      expect([box.x >= 0, box.x + box.width <= width], `${name} at ${width}`).toEqual([true, true]);
      // The middle of the text, without the edges that a tile or a gap could share.
      const clip = { x: box.x + 8, y: box.y + 6, width: box.width - 16, height: box.height - 12 };
      const hidden = await page.screenshot({ clip, animations: "disabled" });
      const isShown = async () => !hidden.equals(await page.screenshot({ clip, animations: "disabled" }));

      await tile.hover();
      await expect(definition).toHaveCSS("opacity", "1");
      expect(await isShown(), `${name} at ${width}, hovered`).toBe(true);
      await page.mouse.move(0, 0);
      await expect(definition).toHaveCSS("opacity", "0");

      await tile.focus();
      await page.keyboard.press("Shift+Tab");
      await page.keyboard.press("Tab");
      await expect(definition).toHaveCSS("opacity", "1");
      expect(await isShown(), `${name} at ${width}, focused`).toBe(true);
      await tile.blur();
      await expect(definition).toHaveCSS("opacity", "0");
    }
  }
});
