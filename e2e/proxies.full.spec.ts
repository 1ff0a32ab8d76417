import { devices } from "@playwright/test";
import { expect, test } from "./support/fixtures";
import { forms } from "./support/forms";
import { startServer } from "./support/server";

/** A service behind a proxy that TRUSTED_PROXIES does not list. */

test("the operator and the owner see that all visits come from one address, with the header that names the visitors", async ({
  fresh,
}) => {
  const server = await startServer();
  try {
    const page = await fresh({ baseURL: server.url });
    const steps = forms(page.request, server.url);
    await steps.signUp("ann@example.com", server);
    const host = "shop.example";
    const siteId = await steps.addSite(host, "UTC");
    const visit = (visitor: string) =>
      fetch(`${server.url}/api/event`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "user-agent": devices["Desktop Chrome"].userAgent,
          "x-forwarded-for": visitor,
        },
        body: JSON.stringify({ domain: host, name: "pageview", url: `https://${host}/` }),
      });
    expect((await visit("198.51.100.1")).status).toBe(202);
    await page.goto("/admin");
    await expect(page.getByText("SMTP is not set up, so nobody gets emails:")).toBeVisible();
    await expect(page.getByText("All visits come from one address")).toHaveCount(0);

    for (const visitor of ["198.51.100.2", "198.51.100.3"]) expect((await visit(visitor)).status).toBe(202);
    await page.goto("/admin");
    const notice = page.getByRole("status").filter({ hasText: "All visits come from one address" });
    await expect(notice).toContainText("The header X-Forwarded-For names other visitors");
    await expect(notice).toContainText(/If (127\.0\.0\.1|::1) is your proxy or CDN, set TRUSTED_PROXIES/);
    await page.goto(`/sites/${siteId}`);
    await expect(notice).toContainText("Ask the operator of this service to set TRUSTED_PROXIES");
  } finally {
    await server.stop();
  }
});
