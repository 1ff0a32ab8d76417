import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import GlobalError from "@/app/global-error";

test("if the root document fails, a complete document shows the error and a retry button", () => {
  const html = renderToStaticMarkup(
    createElement(GlobalError, { error: Object.assign(new Error("x"), { digest: "123" }), retry: () => {} }),
  );
  expect(html).toMatch(/^<html lang="en">/);
  expect(html).toContain("<title>Something went wrong · Footfall</title>");
  expect(html).toContain("123</code>");
  expect(html).toContain("Try again</button>");
});
