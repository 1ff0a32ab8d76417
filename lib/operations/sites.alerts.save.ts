import { type ChannelInput, describeChannel, nameOfChannel } from "@/lib/alerts/channels";
import { measureText } from "@/lib/alerts/judge-value";
import { describeRule, type RuleInput, requireRule, ruleInput, ruleShape, saveRule } from "@/lib/alerts/rules";
import { type Condition, type Operator, readFilters } from "@/lib/analytics/query/conditions";
import { DIMENSIONS } from "@/lib/analytics/query/dimensions";
import { type ChangeLine, defineOperation } from "@/lib/contract/define";
import { MEASURES, type Measure } from "@/lib/contract/vocabulary";
import { checkFilters } from "@/lib/sites/saved/save";
import { msg } from "@/lib/texts/translate";

type Shown = Pick<RuleInput, "metric" | "goal" | "condition" | "span" | "threshold">;

const inWords = ({ metric, goal, condition, span, threshold }: Shown, currency: string): string =>
  `${MEASURES[metric].label}${goal ? ` of ${goal}` : ""} ${condition}${threshold === null || threshold === undefined ? "" : ` ${measureText(metric, threshold, currency)}`} in ${span === "day" ? "a day" : "an hour"}`;

export default defineOperation({
  id: "sites.alerts.save",
  title: msg("Save an alert rule"),
  about:
    "Creates an alert rule, or changes the one with `id`: a metric, revenue or conversions with filters, a condition on an hour or day, and channels. A low value fires after a later event shows that data is complete. Judged every five minutes; at most 20.",
  scope: "sites:write",
  role: "manager",
  risk: "sharing",
  input: ruleInput,
  example: {
    site_id: 1,
    name: "Signups stopped",
    metric: "events",
    filters: { event: "Signup" },
    condition: "below",
    threshold: 1,
    span: "day",
    channels: [{ kind: "email", email: "team@example.com" }],
  },
  output: ruleShape,

  async summary({ input, site, db }) {
    const known = input.id ? await requireRule(db, site.id, input.id) : null;
    const segmentName = async (id: string | null | undefined): Promise<string> =>
      (id && (await db.segment.findFirst({ where: { siteId: site.id, id } }))?.name) || "All visitors";
    const kept = (id: number | null | undefined) => known?.channels.find((one) => one.id === id);
    const named = (channel: ChannelInput): string => {
      const before = kept(channel.channel_id);
      const url = before ? describeChannel(before, true).url : channel.url;
      return nameOfChannel({ ...channel, url });
    };
    const before = known?.channels.map(({ kind, email, host }) =>
      nameOfChannel({ kind, email, url: host && `https://${host}` }),
    );
    return [
      { label: "Alert rule", before: known?.name ?? null, after: input.name },
      {
        label: "Condition",
        before: known && inWords({ ...known, metric: known.metric as Measure }, site.currency),
        after: inWords(input, site.currency),
      },
      ...filterLines(known && (known.filters as RuleInput["filters"]), input.filters),
      {
        label: "Segment",
        before: known && (await segmentName(known.segment)),
        after: await segmentName(input.segment),
      },
      {
        label: "Alerts go to",
        before: before?.join(", ") ?? null,
        after: input.channels.map(named).join(", ") || "Nobody",
      },
    ];
  },

  reach: ({ input }) => checkFilters(input.filters ?? {}),
  run: async ({ input, ...work }) => describeRule(await saveRule(work, input), true),
  // Addresses of chats are secrets, and the audit log outlives them.
  audited: ({ input, data }) => ({
    ...input,
    id: data.id,
    channels: data.channels.map(({ url, kind, email }) => ({ kind, email, url })),
  }),
});

/** Returns what a human approves of the filters: one line for each, so that it can be translated. @param before null for a new rule */
function filterLines(before: RuleInput["filters"] | null, after: RuleInput["filters"]): ChangeLine[] {
  const [was, is] = [before === null ? null : filtersInWords(before), filtersInWords(after)];
  const kinds = new Map([...(was ?? []), ...is]);
  if (kinds.size === 0) return [{ label: "Filters", before: was && "None", after: "None" }];
  return [...kinds].map(([kind, { label }]) => ({
    label,
    before: was && (was.get(kind)?.text ?? "None"),
    after: is.get(kind)?.text ?? "None",
  }));
}

/** Returns the filters in words, by what they are about and their operator. */
const filtersInWords = (filters: RuleInput["filters"]): Map<string, { label: string; text: string }> =>
  new Map(
    readFilters(filters).map(({ key, on, operator, values }) => {
      const kind = JSON.stringify([key, operator]);
      if ("goal" in on) {
        return [
          kind,
          { label: `Filter: goal ${on.goal}`, text: /^(yes|true)$/.test(`${values[0]}`) ? "Reached" : "Not reached" },
        ];
      }
      return [
        kind,
        {
          label: `Filter: ${subjectOf(on)}`,
          text: `${OPERATOR_WORDS[operator]} “${values.map((value) => value || "(unknown)").join("”, “")}”`,
        },
      ];
    }),
  );

function subjectOf(on: Exclude<Condition["on"], { goal: string }>): string {
  if ("product" in on) return "Product";
  return "prop" in on ? `property ${on.prop}` : DIMENSIONS[on.dimension].label;
}

const OPERATOR_WORDS: Readonly<Record<Operator, string>> = {
  is: "is",
  is_not: "is not",
  contains: "contains",
  not_contains: "does not contain",
  starts_with: "starts with",
  matches: "matches",
};
