import { expect, test } from "vitest";
import { routePattern } from "@/lib/platform/http/route-pattern";

test("logged and counted routes contain no id, token, domain or query", () => {
  for (const [path, route] of [
    ["/sites/12/settings/tracking?tab=x#y", "/sites/:x/settings/tracking"],
    ["/reset/abcdefgh", "/reset/:x"],
    ["/signup/token", "/signup/:x"],
    ["/share/shop.example/data/panels", "/share/:x/data/panels"],
    ["/api/v1/management/actions/sites.list", "/api/:x/management/actions/sites.list"],
    ["/A/%2e/a_b", "/:x/:x/a_b"],
    ["/", "/"],
  ])
    expect(routePattern(path as string)).toBe(route);
});
