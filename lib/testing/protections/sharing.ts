import type { Exempt, Protection } from "@/lib/testing/protections/protection";

/** Private links and domains for sharing. */

const LINKS = "app/(public)/_shared/links.test.ts";
const OPERATIONS = "lib/operations/sites.links.test.ts";
const HOSTS = "lib/platform/http/page-request.test.ts";

export const SHARING: readonly (Protection | Exempt)[] = [
  {
    case: 250,
    file: "lib/sites/share-limits.ts",
    find: "if (period === null) return { ...input, segment };",
    replace: "if (period === null) return input;",
    test: { file: LINKS, title: "a link limited to a segment answers for its visitors only" },
  },
  {
    case: 251,
    file: "lib/sites/share-limits.ts",
    find: "if (faults.length > 0) throw invalidInput(faults);",
    replace: "",
    test: { file: LINKS, title: "filters other than whole values of what is listed are refused on a link" },
  },
  {
    case: 252,
    file: "lib/sites/share-limits.ts",
    find: "if (wanted.start < shown.start || wanted.end > shown.end) {",
    replace: "if (false) {",
    test: { file: LINKS, title: "a link limited to a period shows no day outside of it" },
  },
  {
    case: 253,
    file: "lib/sites/share-limits.ts",
    find: "return panels.length === 0 || panels.some((panel) => panel in PANELS && PANELS[panel as ListPanel] === key);",
    replace: "return true;",
    test: { file: LINKS, title: "a link limited to panels answers for these only" },
  },
  {
    case: 254,
    file: "lib/sites/share-limits.ts",
    find: "if (!report && !isOfDashboard(limits, op.id)) {",
    replace: "if (false) {",
    test: { file: LINKS, title: "a link shows the reports that it names" },
  },
  {
    case: 255,
    file: "lib/sites/share-links.ts",
    find: "if (!row || (row.expiresAt !== null && row.expiresAt <= now)) return null;",
    replace: "if (!row) return null;",
    test: { file: LINKS, title: "a link opens only its own site" },
  },
  {
    case: 256,
    file: "lib/sites/share-password.ts",
    find: 'return given.length === 32 && derivedKeys("share-link").some(isMac);',
    replace: "return true;",
    test: { file: LINKS, title: "a password opens its own link in one browser" },
  },
  {
    case: 257,
    file: "lib/sites/share-password.ts",
    find: "for (const { key, limit, seconds } of counts) await requireRate(key, limit, seconds * 1000, now, TOO_MANY);",
    replace: "",
    test: { file: LINKS, title: "after ten wrong passwords a network waits" },
  },
  {
    case: 258,
    file: "lib/sites/saved/segments.ts",
    find: 'throw invalidInput([{ path: row ? "filters" : "id", message }]);',
    replace: "void message;",
    test: { file: OPERATIONS, title: "the segment of a link keeps its filters" },
  },
  {
    case: 259,
    file: "lib/platform/http/page-request.ts",
    find: "if (isSharingHost(host) && !isStaticPage(path) && !SHARED.test(path)) return onlySharing(baseUrl);",
    replace: "",
    test: { file: HOSTS, title: "public names of ALLOWED_HOSTS serve shared and public pages only" },
  },
];
