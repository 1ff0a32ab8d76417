import { expect, test } from "vitest";
import { env } from "@/lib/platform/env";
import { FRAMEWORKS } from "@/lib/sites/installation";
import { call, faults, makeMember, refused } from "@/lib/testing/calls";
import { makeSite } from "@/lib/testing/world";

test("the default framework is plain HTML, with a list of all supported frameworks", async () => {
  const site = await makeSite();
  const answer = await call(site.ownerId, "sites.installation", { site_id: site.id, framework: null });
  expect(answer).toMatchObject({
    site_id: site.id,
    framework: "html",
    snippet: `<script defer src="${env().BASE_URL}/script.js" data-domain="${site.host}"></script>`,
  });
  expect(answer.frameworks.map(({ framework }: { framework: string }) => framework)).toEqual(Object.keys(FRAMEWORKS));
});

test.each(Object.keys(FRAMEWORKS))(
  "the code for %s contains the service URL, the domain and a file name",
  async (framework) => {
    const site = await makeSite();
    const answer = await call(site.ownerId, "sites.installation", { site_id: site.id, framework });
    expect(answer.framework).toBe(framework);
    for (const text of [answer.snippet, answer.code[0].content]) {
      expect(text).toContain(`${env().BASE_URL}/script.js`);
      expect(text).toContain(site.host);
      expect(text).toContain("data-domain");
    }
    expect(answer.code[0].file).not.toBe("");
    for (const sentence of [...answer.steps, ...answer.notes]) expect(sentence).toMatch(/^[A-Z].*\.$/s);
  },
);

test("in Tag Manager a script creates the tag, because its attributes would be stripped", async () => {
  const site = await makeSite();
  const { snippet } = await call(site.ownerId, "sites.installation", { site_id: site.id, framework: "gtm" });
  expect(snippet).toContain('document.createElement("script")');
  expect(snippet).toContain(`script.setAttribute("data-domain", "${site.host}")`);
  expect(snippet).not.toMatch(/\b(let|const|=>)\b/);
});

test("an unknown framework is refused with the list of known ones, and a viewer is refused", async () => {
  const site = await makeSite();
  expect(await faults(call(site.ownerId, "sites.installation", { site_id: site.id, framework: "angular" }))).toEqual([
    "framework: must be one of html, laravel, react, nextjs, vue, wordpress, shopify, gtm",
  ]);
  const viewer = await makeMember(site.id, "viewer");
  expect((await refused(call(viewer, "sites.installation", { site_id: site.id })))?.code).toBe("role_denied");
});
