import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bothOf, problemsOf } from "@/components/ui/form-problems";
import { loadRefusals } from "@/components/ui/refusals";
import { ENTRY_OPERATIONS } from "@/lib/operations/entry/index";
import { OPERATIONS } from "@/lib/operations/index";
import { PERSONAL_OPERATIONS } from "@/lib/operations/personal/index";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { requestLocales } from "@/lib/platform/request-locale";

/** Every refusal of every operation is visible, whichever fields a form shows. */

const all = [...OPERATIONS.values(), ...PERSONAL_OPERATIONS.values(), ...ENTRY_OPERATIONS.values()];

test.each(all)(
  "$id: an issue of any field shows beside it, or as the message of a form that does not have it",
  (op) => {
    const known = "shape" in op.input ? Object.keys(op.input.shape as object) : [];
    for (const path of [...known, ...known.map((field) => `${field}.0.name`), "", "a_field_of_tomorrow"]) {
      const refusal = invalidInput([{ path, message: path ? "must be something else" : "Choose something else." }]);
      expect(problemsOf(refusal).message, path).toMatch(/something else\.$/);
      expect(problemsOf(refusal, { fields: [path.replace(".0.", ".*.")] }).fields, path).toEqual({
        [path]: path ? "This must be something else." : "Choose something else.",
      });
    }
  },
);

test("a refused rotation of a replaced key, whose dialog has no field for the key, says which key and why", () => {
  const refusal = invalidInput([{ path: "key_id", message: "is already replaced; rotate the newest key instead" }]);
  expect(problemsOf(refusal)).toEqual({
    fields: {},
    message: "Key id is already replaced; rotate the newest key instead.",
  });
});

test("several issues of one field, and of fields that the form does not show, are all shown, each once", () => {
  const refusal = invalidInput([
    { path: "name", message: "is required and must have at least 2 characters" },
    { path: "name", message: "must not have invisible characters" },
    { path: "name", message: "must not have invisible characters" },
    { path: "steps.1.pattern", message: "must start with /" },
    { path: "site_id", message: "must be a number" },
  ]);
  expect(problemsOf(refusal, { fields: ["name"] })).toEqual({
    fields: { name: "This must have at least 2 characters. This must not have invisible characters." },
    message: "Steps pattern must start with /. Site id must be a number.",
  });
  expect(problemsOf(refusal, { fields: ["name", "steps.*.pattern"] }).fields).toMatchObject({
    "steps.1.pattern": "This must start with /.",
  });
  expect(bothOf("This is too long.", "This must be a number.")).toBe("This is too long. This must be a number.");
});

test("a refusal and its issues are in the reader's language, once its page has loaded their words", async () => {
  await loadRefusals();
  const refusal = invalidInput([{ path: "name", message: "must have at most 100 characters" }]);
  requestLocales.run("de-DE", () => {
    expect(problemsOf(refusal, { fields: ["name"] }).fields.name).toContain("darf höchstens 100 Zeichen haben");
    expect(problemsOf(new Refusal("not_found", "Too many attempts. Try again later.")).message).toMatch(/später/);
  });
});

test("a refusal without issues is the message, or shows beside the field of its code", () => {
  const taken = new Refusal("domain_taken", "Another site has this domain.");
  expect(problemsOf(taken)).toEqual({ fields: {}, message: "Another site has this domain." });
  const form = { fields: ["domain"], fieldOfCode: { domain_taken: "domain" } } as const;
  expect(problemsOf(taken, form)).toEqual({ fields: { domain: "Another site has this domain." } });
});

describe("pages", () => {
  const sources = ["app", "components"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".tsx"))
      .map((name) => join(folder, name)),
  );
  const forms = sources.filter((file) => /\buseAction\(/.test(readFileSync(file, "utf8")));

  test.each(forms)("%s shows the message of each operation that it calls", (file) => {
    const source = readFileSync(file, "utf8");
    const calls = source.match(/\buseAction\(/g) ?? [];
    const shown = source.match(/problems\.message|problems=\{problems\}/g) ?? [];
    expect(shown.length).toBeGreaterThanOrEqual(calls.length);
  });

  test.each(forms)("%s shows each field that it declares", (file) => {
    const own = readFileSync(file, "utf8");
    // The dialog that saves under a name shows the problem of that field.
    const source =
      own + (own.includes("<SaveDialog") ? readFileSync("components/reports/save-dialog.tsx", "utf8") : "");
    const declared = [...own.matchAll(/fields: (?:[^[\n]*\[[^\]]*\])+/g)].flatMap(([lists]) =>
      [...lists.matchAll(/"([\w.*]+)"/g)].map(([, field = ""]) => field),
    );
    for (const field of declared) {
      const last = field.replace(/\.\*$/, "").split(".").at(-1);
      expect(source, field).toMatch(new RegExp(`fields\\.${last}\\b|problems\\.fields[,}]|\\.${last}\``));
    }
  });
});
