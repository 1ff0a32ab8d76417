import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import GlobalError from "@/app/global-error";

test("where the document itself fails, a whole document of ours says so and offers to try again", () => {
  const html = renderToStaticMarkup(createElement(GlobalError, { retry: () => {} }));
  expect(html).toMatch(/^<html lang="en">/);
  expect(html).toContain("<title>Something went wrong · Footfall</title>");
  expect(html).toContain("Try again</button>");
});
