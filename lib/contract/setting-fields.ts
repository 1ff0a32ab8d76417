import { z } from "zod";
import {
  type RequiredSetting,
  type SettingGroup,
  type SettingValues,
  type SiteSetting,
  settingsOf,
} from "@/lib/contract/site-settings";

type Field<Value> = z.ZodType<Value, Value>;
type AnswerFields<G extends SettingGroup> = { [Name in keyof SettingValues<G>]: Field<SettingValues<G>[Name]> };
type CallFields<G extends SettingGroup> = {
  [Name in keyof SettingValues<G>]: Name extends RequiredSetting<G>
    ? Field<SettingValues<G>[Name]>
    : z.ZodOptional<z.ZodNullable<Field<SettingValues<G>[Name]>>>;
};

/** Returns the fields of a group of settings for the answers of operations. */
export const settingShape = <G extends SettingGroup>(group: G): AnswerFields<G> =>
  fieldsOf(group, fieldOf) as AnswerFields<G>;

/** Returns the fields of a group of settings for calls. Those that a call may leave out may be null too. */
export const settingFields = <G extends SettingGroup>(group: G): CallFields<G> =>
  fieldsOf(group, (one) => (one.required ? fieldOf(one) : fieldOf(one).nullish())) as unknown as CallFields<G>;

const fieldsOf = (group: SettingGroup, field: (setting: SiteSetting) => z.ZodType) =>
  Object.fromEntries(settingsOf(group).map((one) => [one.name, field(one)]));

function fieldOf({ about: description, choices, names }: SiteSetting) {
  const values = choices ? Object.keys(choices) : names;
  if (!values) return z.boolean("must be true or false").meta({ description });
  return z.enum(values, `must be ${values.slice(0, -1).join(", ")} or ${values.at(-1)}`).meta({ description });
}
