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

/** The script and the attributes of the tag that a snippet makes, whatever its syntax. */
const tagOf = (code: string) => ({
  file: /\/(script[.\w]*js)/.exec(code)?.[1],
  attributes: Object.fromEntries(
    [...code.matchAll(/["' ](data-[a-z]+)["']?(?:(?:=| *=> |, )(?:["']([^"']*)["']|true))?/g)].map(
      ([, name, value = ""]) => [name, value],
    ),
  ),
});

test.each(Object.keys(FRAMEWORKS))("the snippet for %s tracks exactly what was asked for", async (framework) => {
  const site = await makeSite();
  const read = async (options: object) => {
    const answer = await call(site.ownerId, "sites.installation", { site_id: site.id, framework, ...options });
    const program = answer.code[0].content;
    expect(tagOf(program)).toEqual(tagOf(answer.snippet));
    return tagOf(program);
  };
  const domain = { "data-domain": site.host };
  expect(await read({})).toEqual({ file: "script.js", attributes: domain });
  expect(await read({ automatic: "vitals,links", search_parameters: "term" })).toEqual({
    file: "script.full.js",
    attributes: { ...domain, "data-off": "forms search 404" },
  });
  expect(
    await read({ automatic: "links, forms, 404, search, vitals", search_parameters: "term, k", hash_routes: true }),
  ).toEqual({ file: "script.full.js", attributes: { ...domain, "data-hash": "", "data-search": "term k" } });
});

test("nothing that ends an attribute or is code gets into a snippet", async () => {
  const site = await makeSite();
  const asked = (fields: object) =>
    faults(call(site.ownerId, "sites.installation", { site_id: site.id, ...fields } as never));
  const hostile = ['q" onload="alert(1)', "q'><script>", "$(alert(1))", "q ); alert(1", "a b", "ü", "x".repeat(51)];
  for (const search_parameters of hostile) {
    expect(await asked({ automatic: "search", search_parameters }), search_parameters).toEqual([
      "search_parameters: must have names of letters, digits, dots, hyphens, underscores and brackets, each of at most 50 characters",
    ]);
  }
  expect(await asked({ search_parameters: "abcdefghijk".split("").join() })).toEqual([
    "search_parameters: must have at most 10 names",
  ]);
  expect(await asked({ automatic: 'links"' })).toEqual([
    'automatic: has the unknown name links"; choose from links, forms, vitals, search, 404',
  ]);
});
