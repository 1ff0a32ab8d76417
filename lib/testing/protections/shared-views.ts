import type { Exempt, Protection } from "@/lib/testing/protections/protection";

/** Accounts whose address was changed, disabled owners, and links to views. */
export const SHARED_VIEWS: readonly (Protection | Exempt)[] = [
  {
    case: 316,
    file: "lib/account/delete-account.ts",
    find: "  if (returnsUntil) throw mayReturn(returnsUntil);",
    replace: "",
    test: {
      file: "lib/account/change-email.test.ts",
      title: "an account cannot be deleted while its former address can take it back",
    },
  },
  {
    case: 317,
    file: "lib/email-reports/send.ts",
    find: 'role: "owner" as const, person: { disabledAt: null }',
    replace: 'role: "owner" as const',
    test: {
      file: "lib/email-reports/email-reports.test.ts",
      title: "recipients of a site get no reports while all its owners are disabled",
    },
  },
  {
    case: 318,
    file: "components/reports/share-of.ts",
    find: "joinFilters(saved.filters, filters)",
    replace: "filters",
    test: {
      file: "components/reports/share-of.test.ts",
      title: "a link to a view is limited to its period, its report and all its filters",
    },
  },
];
