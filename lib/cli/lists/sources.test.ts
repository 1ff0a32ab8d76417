import { expect, test } from "vitest";
import { sourceLists } from "@/lib/cli/lists/sources";

const convert = (name: string, text: string) => {
  const list = sourceLists.find((one) => one.name === name);
  return list?.convert(text, list.download);
};

test("a list of sources has each name's hosts without www., paths and apps", () => {
  const engines = `"Some & Co":
  - urls:
      - www.some.example
      - some.example/images
      - 'some.{}'
    params: [q]
  - urls: [Some.example, images.some.example]
Only a path:
  - urls: [other.example/search]
`;
  expect(convert("search-engines", engines)).toEqual([
    { name: "Some & Co", hosts: ["images.some.example", "some.example", "some.{}"] },
  ]);
  const networks = "Some%2B:\n  - com.some.android\n  - some.example\n  - org.some.app\n";
  for (const name of ["social-networks", "ai-assistants"])
    expect(convert(name, networks)).toEqual([{ name: "Some+", hosts: ["some.example"] }]);
  const categories =
    "source,source_category\r\nSome Shop,SOURCE_CATEGORY_SHOPPING\r\na.example,SOURCE_CATEGORY_SEARCH\r\n";
  expect(convert("source-categories", categories)).toEqual([
    { source: "some shop", kind: "shopping" },
    { source: "a.example", kind: "search" },
  ]);
});

test("a download in another format is refused with what was expected", () => {
  for (const text of ["", "<html></html>", "- a\n- b", "a: 1", "a:\n  - urls: 1"])
    expect(() => convert("search-engines", text), text).toThrow(/expected YAML/);
  for (const text of ["a: b", "<html></html>"])
    expect(() => convert("ai-assistants", text), text).toThrow(/expected YAML/);
  for (const text of ["", "a,b", "source,source_category\na.example", "source,source_category\na,SOURCE_CATEGORY_NEW"])
    expect(() => convert("source-categories", text), text).toThrow(/^expected /);
});
