import type { Exempt, Protection } from "@/lib/testing/protections/protection";

/** What a second reading of accounts, downloads and imports has found. */
export const REVIEWED: readonly (Protection | Exempt)[] = [
  {
    case: 302,
    file: "lib/api/downloads.ts",
    find: "id, disabledAt: null",
    replace: "id",
    test: {
      file: "app/api/v1/management/downloads/downloads.test.ts",
      title: "an address of a disabled person",
    },
  },
  {
    case: 303,
    file: "lib/transfer/json-records.ts",
    find: "this.#fieldsLength += field.length;",
    replace: "this.#fieldsLength = this.#fields.reduce((sum, { length }) => sum + length, 0);",
    test: {
      file: "lib/transfer/json-records.test.ts",
      title: "an object of many fields is read in linear time",
    },
  },
  {
    case: 304,
    file: "lib/gateway/execute.ts",
    find: "  await step.call.undoes?.check(tx);",
    replace: "",
    test: { file: "lib/agents/undo.test.ts", title: "an entry is undone once" },
  },
  {
    case: 305,
    file: "lib/account/reset.ts",
    find: "if (restores !== null && !(await hadSecondFactor(personId, createdAt))) return null;",
    replace: "if (restores !== null && (await hadSecondFactor(personId, createdAt)) === null) return null;",
    test: {
      file: "lib/account/change-email.test.ts",
      title: "a second factor that a thief sets up after the change",
    },
  },
];
