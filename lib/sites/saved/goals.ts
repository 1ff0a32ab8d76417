import { z } from "zod";
import { integerId, optionalParam, siteId, untrusted } from "@/lib/contract/fields";
import { pageOrEvent } from "@/lib/contract/funnel-steps";
import type { SiteWork } from "@/lib/gateway/changes/site-revision";
import type { Db, Prisma } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import { canonicalName } from "@/lib/platform/names";
import { renameInUsers, usersOfBoth, usersOfGoal } from "@/lib/sites/saved/goal-users";
import { changedId, creatorId, currentOf, type Kind, remove, save, savedName } from "@/lib/sites/saved/save";

export const goalId = integerId("must be the id of a goal").meta({ examples: [7] });

const MOST_WAYS = 9;
const MOST_PROPERTIES = 5;
const MOST_VALUES = 20;
const ALSO = `must be a list of at most ${MOST_WAYS} pages or events`;
const PROPERTIES = `must be a list of at most ${MOST_PROPERTIES} conditions`;
const VALUES = `must be a list of 1 to ${MOST_VALUES} texts`;
const OPERATORS = ["is", "is_not", "contains", "not_contains", "starts_with"] as const;

const propertyName = z
  .string("must be the name of a property")
  .overwrite(canonicalName)
  .min(1, "must be the name of a property")
  .max(255, "must have at most 255 characters");

/** A condition on a property of the event that reaches a goal. */
const propertyShape = z.strictObject(
  {
    property: propertyName,
    operator: z.enum(OPERATORS, `must be one of ${OPERATORS.join(", ")}`),
    values: z
      .array(z.string("must be text").min(1, "must not be empty").max(500, "must have at most 500 characters"), VALUES)
      .min(1, VALUES)
      .max(MOST_VALUES, VALUES),
  },
  'must be an object such as {"property": "plan", "operator": "is", "values": ["pro"]}',
);

const OF_VALUE = ["amount", "property", "revenue"] as const;
const AMOUNT = "must be an amount such as 12.50, of at most 12 digits before the point and 4 after it";
const VALUED = 'must be an object such as {"of": "amount", "amount": "12.50"}';

/** What reaching a goal is worth. */
const valueShape = z
  .strictObject(
    {
      of: z.enum(OF_VALUE, `must be one of ${OF_VALUE.join(", ")}`),
      amount: optionalParam(z.string(AMOUNT).regex(/^\d{1,12}(\.\d{1,4})?$/, AMOUNT)),
      property: optionalParam(propertyName),
    },
    VALUED,
  )
  .superRefine((value, context) => {
    for (const key of ["amount", "property"] as const) {
      const isNeeded = value.of === key;
      const isGiven = (value[key] ?? null) !== null;
      if (isNeeded === isGiven) continue;
      const message = isNeeded ? `must be given for a value of ${key}` : `must be left out for a value of ${value.of}`;
      context.addIssue({ code: "custom", path: [key], message });
    }
  });

/**
 * A page or event that counts as a conversion. The filter `goal:<name>`, experiments and reports refer to it by name.
 */
export const goalInput = z.strictObject({
  site_id: siteId,
  id: changedId(goalId),
  name: savedName(),
  reached_by: pageOrEvent({}),
  also_reached_by: optionalParam(z.array(pageOrEvent({}), ALSO).max(MOST_WAYS, ALSO)).meta({
    description: `Up to ${MOST_WAYS} other pages and events that reach it too; default none`,
    examples: [[{ kind: "page", pattern: "/thanks" }]],
  }),
  properties: optionalParam(z.array(propertyShape, PROPERTIES).max(MOST_PROPERTIES, PROPERTIES)).meta({
    description: `Up to ${MOST_PROPERTIES} conditions on custom properties, all of which the event must meet; default none`,
    examples: [[{ property: "plan", operator: "is", values: ["pro"] }]],
  }),
  value: optionalParam(valueShape).meta({
    description:
      "What reaching it is worth in the site's reporting currency: a fixed `amount`, the number in a `property` of the event, or its `revenue`; default nothing. It is the conversion_value of reports",
    examples: [{ of: "amount", amount: "12.50" }],
  }),
});
export type GoalInput = z.output<typeof goalInput>;

export const goalShape = z
  .object({
    id: goalId,
    name: untrusted.meta({ examples: ["Signup"] }),
    reached_by: z
      .object({ kind: z.enum(["page", "event"]), pattern: untrusted })
      .meta({ examples: [{ kind: "event", pattern: "Signup" }] }),
    also_reached_by: z
      .array(z.object({ kind: z.enum(["page", "event"]), pattern: untrusted }))
      .meta({ description: "Other pages and events that reach it too", examples: [[]] }),
    properties: z
      .array(z.object({ property: untrusted, operator: z.enum(OPERATORS), values: z.array(untrusted) }))
      .meta({ description: "Conditions on custom properties, all of which the event must meet", examples: [[]] }),
    value: z
      .object({ of: z.enum(OF_VALUE), amount: z.string().nullable(), property: untrusted.nullable() })
      .nullable()
      .meta({ description: "What reaching it is worth in the reporting currency", examples: [null] }),
    created_by: creatorId,
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Goal" });

interface Row {
  name: string;
  kind: "page" | "event";
  pattern: string;
  also: Prisma.InputJsonValue;
  properties: Prisma.InputJsonValue;
  value: Prisma.InputJsonValue;
}

const GOALS: Kind<number, Row, GoalRow> = {
  label: "goal",
  count: (tx, siteId) => tx.goal.count({ where: { siteId } }),
  create: (tx, row) => tx.goal.create({ data: row }),
  update: (tx, siteId, id, row, now) => tx.goal.updateMany({ where: { siteId, id }, data: { ...row, updatedAt: now } }),
  remove: (tx, siteId, id) => tx.goal.deleteMany({ where: { siteId, id } }),
  find: (tx, siteId, id) => tx.goal.findFirst({ where: { siteId, id } }),
  check: checkUsers,
};

/** Lists the goals of a site by name. */
export const listGoals = (siteId: number, on: Db) => on.goal.findMany({ where: { siteId }, orderBy: { name: "asc" } });

/** Formats a goal for API responses. */
export const describeGoal = ({
  id,
  name,
  kind,
  pattern,
  also,
  properties,
  value,
  createdById,
  updatedAt,
}: GoalRow): z.input<typeof goalShape> => ({
  id,
  name,
  reached_by: { kind, pattern },
  also_reached_by: also as z.input<typeof goalShape>["also_reached_by"],
  properties: properties as z.input<typeof goalShape>["properties"],
  value: describeValue(value),
  created_by: createdById,
  updated_at: updatedAt.toISOString(),
});

const describeValue = (stored: unknown): z.input<typeof goalShape>["value"] => {
  const { of, amount = null, property = null } = stored as Partial<NonNullable<z.input<typeof goalShape>["value"]>>;
  return of ? { of, amount, property } : null;
};
type GoalRow = Prisma.GoalGetPayload<object>;

export const currentGoal = currentOf(GOALS, describeGoal);

/** Creates or changes a goal. What uses it follows to a new name. @throws Refusal see `save` */
export const saveGoal = (work: SiteWork, input: GoalInput): Promise<GoalRow> => {
  const { id, name, reached_by, also_reached_by, properties, value } = input;
  const lists = { also: also_reached_by ?? [], properties: properties ?? [] };
  return save(work, GOALS, id, { name, ...reached_by, ...lists, value: storedValue(value ?? null) });
};

const storedValue = (value: NonNullable<GoalInput["value"]> | null): Prisma.InputJsonObject =>
  value ? Object.fromEntries(Object.entries(value).filter(([, one]) => typeof one === "string")) : {};

/**
 * Deletes a goal.
 *
 * @throws Refusal see `remove`, and `invalid_input` while a segment, dashboard, experiment or alert rule uses it
 */
export const deleteGoal = (work: SiteWork, id: number): Promise<GoalRow> => remove(work, GOALS, id);

/**
 * Refuses to delete a goal that is in use, and takes what uses it along to a new name. A name without a goal refers to the
 * event of that name, so segments, dashboards, experiments and alert rules would silently change their meaning.
 */
async function checkUsers(tx: Db, siteId: number, id: number, becomes: Row | null): Promise<void> {
  const goal = await tx.goal.findFirst({ where: { siteId, id } });
  if (!goal || goal.name === becomes?.name) return;
  const users = becomes
    ? await usersOfBoth(tx, siteId, goal.name, becomes.name)
    : await usersOfGoal(tx, siteId, goal.name);
  if (users.length > 0) throw inUse(goal.name, users, becomes ? "name" : "id");
  if (becomes) await renameInUsers(tx, siteId, goal.name, becomes.name);
}

const inUse = (name: string, users: readonly string[], path: "id" | "name"): Refusal =>
  new Refusal(
    "invalid_input",
    `The goal ${name} is used by ${users.slice(0, 5).join(", ")}. Change or delete these first.`,
    { issues: users.map((user) => ({ path, message: `is used by ${user}; change or delete that first` })) },
  );
