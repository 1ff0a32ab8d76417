import { z } from "zod";
import { scopeOf } from "@/lib/analytics/query/scope";
import { optionsOf, readField } from "@/lib/analytics/reports/filter-options";
import { defineOperation } from "@/lib/contract/define";
import { metaShape, optionalParam, reportFields, untrusted } from "@/lib/contract/fields";

const text = optionalParam(z.string("must be text").max(255, "must have at most 255 characters"));
const DEFAULT_ROWS = 20;

export default defineOperation({
  id: "analytics.filter_options",
  title: "Filter options",
  about:
    "Values for a filter that contain the search text, products also those whose name contains it, ignoring case: values with the most visitors in the range first, then the newest.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({
    ...reportFields,
    field: z
      .string("must be the key of a filter")
      .min(1, "must be the key of a filter")
      .max(96, "must have at most 96 characters")
      .meta({
        description:
          "Filter key, such as country, product or prop:plan; prop and goal list the names of properties and goals",
      }),
    q: text.meta({ description: "Text that the values contain" }),
    search: text.meta({ description: "Same as q; if both are given, values contain both" }),
    limit: optionalParam(
      z.int("must be a whole number").min(1, "must be 1 or more").max(100, "must be at most 100"),
    ).meta({
      description: `Maximum number of values; default ${DEFAULT_ROWS}`,
    }),
  }),
  example: { site_id: 1, field: "page", q: "blog" },
  output: z.object({
    meta: metaShape,
    field: z.string(),
    options: z.array(
      z.object({
        value: untrusted.meta({ examples: ["/blog/launch"] }),
        name: untrusted
          .optional()
          .meta({ description: "Name of a product, whose value is its id; absent for other values" }),
        visitors: z
          .int()
          .nullable()
          .meta({
            examples: [21],
            description:
              "Visitors in the range; for properties and products, in the newest 5,000 events that have them. Null for names of goals",
          }),
      }),
    ),
  }),

  async run({ input, site, now }) {
    const field = readField(input.field);
    const { scope, meta } = await scopeOf(input, site, now);
    const limit = input.limit ?? DEFAULT_ROWS;
    const parts = [...new Set([input.q, input.search].filter((part) => part != null))];
    const found = await optionsOf(scope, field, { parts, limit: limit + 1 });
    return {
      meta: { ...meta, row_limit: limit, truncated: found.length > limit },
      field: input.field,
      options: found.slice(0, limit).map(({ name, ...option }) => (name == null ? option : { ...option, name })),
    };
  },
});
