import type { Exempt, Protection } from "@/lib/testing/protections/protection";

/** Reports and alerts to addresses and chats. */
export const REPORTS_AND_ALERTS: readonly (Protection | Exempt)[] = [
  {
    case: 260,
    file: "lib/email-reports/send.ts",
    find: ", recipient: { confirmedAt: { not: null } }",
    replace: "",
    test: {
      file: "lib/email-reports/email-reports.test.ts",
      title: "an address gets reports only after it has confirmed by its link",
    },
  },
  {
    case: 261,
    file: "lib/sites/reports/recipients.ts",
    find: "data: { confirmedAt: now, tokenHash: null, tokenUntil: null },",
    replace: "data: { confirmedAt: now },",
    test: {
      file: "lib/email-reports/email-reports.test.ts",
      title: "a link confirms once, for three days, and only the latest one",
    },
  },
  {
    case: 262,
    file: "lib/sites/reports/recipients.ts",
    find: "ASKED.address, DAY_MS, now, toAddress);",
    replace: "1000, DAY_MS, now, toAddress);",
    test: {
      file: "lib/email-reports/email-reports.test.ts",
      title: "a stranger's address is asked three times a day by all sites together",
    },
  },
  {
    case: 263,
    file: "lib/operations/sites.reports.send_now.ts",
    find: "if (confirmedAt) return {",
    replace: "if (confirmedAt || email) return {",
    test: {
      file: "lib/email-reports/email-reports.test.ts",
      title: "a report sent now goes to the caller or to a confirmed recipient",
    },
  },
  {
    case: 264,
    file: "lib/operations/sites.reports.get.ts",
    find: "manages(site.role) ? (",
    replace: "manages(site.role) || true ? (",
    test: {
      file: "lib/email-reports/email-reports.test.ts",
      title: "only managers see recipients, and an agent adds or removes one",
    },
  },
  { case: 265, because: "the schema of addresses, zod's, refuses each of them; no line of ours does" },
  {
    case: 266,
    file: "lib/alerts/channels.ts",
    find: ", allowed_mentions: { parse: [] }",
    replace: "",
    test: { file: "lib/alerts/alerts.test.ts", title: "a name with line breaks, links and mentions changes no header" },
  },
  {
    case: 267,
    file: "lib/operations/sites.alerts.save.ts",
    find: "id: data.id,\n    channels: data.channels.map(({ url, kind, email }) => ({ kind, email, url })),",
    replace: "id: data.id,",
    test: {
      file: "lib/alerts/alerts.test.ts",
      title: "the address is sealed, and no answer, audit row or approval has it",
    },
  },
  { case: 268, because: "lib/platform/outbound checks the addresses of every request; its own cases remove that" },
  {
    case: 269,
    file: "lib/alerts/notify.ts",
    find: "if (email && confirmed.has(email)) {",
    replace: "if (email) {",
    test: { file: "lib/alerts/alerts.test.ts", title: "an alert reaches only confirmed addresses" },
  },
];
