import { expect, test } from "./support/fixtures";

/** Ingest keys of servers. */

test("a key is created, shown once, sends an event, is rotated and revoked", async ({ siteOwner, server }) => {
  const { page, siteId, host } = siteOwner;
  await page.goto(`/sites/${siteId}/settings/people`);
  await page.getByRole("link", { name: "Measurement Protocol" }).click();
  await expect(page).toHaveURL(`/sites/${siteId}/settings/measurement`);

  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByText("must name the sender, such as Shop")).toBeVisible();
  await page.getByRole("textbox", { name: /^Name/ }).fill("Shop");
  await page.getByRole("button", { name: "Create key" }).click();
  const box = page.getByTestId("fresh-key");
  const key = ((await box.textContent()) ?? "").trim();
  expect(key).toMatch(/^ffk_[A-Za-z0-9_-]{43}$/);
  await expect(page.getByText(`ffk_…${key.slice(-4)}, expires`)).toBeVisible();
  await expect(page.getByText("never used")).toBeVisible();

  const post = async (secret: string) => {
    const event = { type: "page", context: { page: { url: `https://${host}/` } } };
    const response = await fetch(`${server.url}/api/v1/events`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify({ events: [event] }),
    });
    return response.status;
  };
  expect(await post(key)).toBe(200);
  await page.getByRole("button", { name: "I have saved it" }).click();
  await expect(box).toHaveCount(0);
  await page.reload();
  await expect(page.getByText("last used just now")).toBeVisible();
  expect(await page.content()).not.toContain(key);

  await page.getByRole("button", { name: /^Rotate Shop/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
  await expect(box).toBeVisible();
  const rotated = ((await box.textContent()) ?? "").trim();
  expect([await post(rotated), await post(key)]).toEqual([200, 200]);
  await expect(page.getByText("expires in a day").or(page.getByText("expires in 1 day"))).toBeVisible();

  await page.getByRole("button", { name: `Revoke Shop, ${key.slice(-4)}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByText(`ffk_…${key.slice(-4)}`)).toHaveCount(0);
  await expect.poll(() => post(key)).toBe(401);
});
