import { Fragment } from "react";
import { useSwitch } from "@/components/actions/actions";
import type { ActionId, ActionInput } from "@/components/actions/typed";
import { Select } from "@/components/ui/select";
import { Switch } from "@/components/ui/switch";
import {
  type GivenSettings,
  isOn,
  type SettingGroup,
  type SettingValues,
  type SiteSetting,
  settingsOf,
  switched,
} from "@/lib/contract/site-settings";
import { t } from "@/lib/texts/translate";

interface Props<G extends SettingGroup> {
  group: G;
  values: SettingValues<G>;
  /** Settings of the group that have a control of their own, with `Sent`. */
  without?: readonly (keyof SettingValues<G>)[];
}

/** The controls of a group of settings of a site, in a form that `settingsFrom` reads. */
export function SettingControls<G extends SettingGroup>({ group, values, without = [] }: Props<G>) {
  const now: Readonly<Record<string, unknown>> = values;
  return settingsOf(group)
    .filter(({ name }) => !without.some((one) => one === name))
    .map((setting) => (
      <Fragment key={setting.name}>
        <SentSetting name={setting.name} />
        <SettingControl setting={setting} value={now[setting.name]} />
      </Fragment>
    ));
}

const SENT = "settings";

/** Names a setting that its form has a control for, because a switch that is off is sent like one that is missing. */
export const SentSetting = ({ name }: { name: string }) => <input type="hidden" name={SENT} value={name} />;

function SettingControl({ setting, value }: { setting: SiteSetting; value: unknown }) {
  const { name, label, hint, choices } = setting;
  if (!choices)
    return <Switch name={name} defaultChecked={isOn(setting, value)} label={t(label)} hint={hint && t(hint)} />;
  const options = Object.entries(choices).map(([option, text]) => ({ value: option, label: t(text) }));
  return (
    <div className="space-y-1.5">
      <div className="max-w-72">
        <Select label={t(label)} name={name} choices={options} defaultValue={`${value}`} />
      </div>
      <p className="text-sm text-muted">{hint && t(hint)}</p>
    </div>
  );
}

interface SwitchesProps<G extends SettingGroup> {
  group: G;
  /** Each of them is on or off. */
  values: SettingValues<G> & Readonly<Record<string, boolean>>;
  siteId: number;
  /** The operation that saves the group. */
  action: ActionId;
}

/** The switches of a group that is saved when one is turned, without a button. */
export const SettingSwitches = <G extends SettingGroup>({ group, values, ...saved }: SwitchesProps<G>) =>
  settingsOf(group).map((setting) => <SavedSwitch key={setting.name} setting={setting} values={values} {...saved} />);

interface SavedProps extends Pick<SwitchesProps<SettingGroup>, "siteId" | "action"> {
  setting: SiteSetting;
  values: Readonly<Record<string, boolean>>;
}

function SavedSwitch({ setting: { name, label, hint }, values, siteId, action }: SavedProps) {
  const switchProps = useSwitch(
    action,
    values[name] === true,
    (on) => ({ ...values, [name]: on, site_id: siteId }) as ActionInput<ActionId>,
  );
  return <Switch label={t(label)} hint={hint && t(hint)} {...switchProps} />;
}

/** Returns the values of a group in a form that was sent. Those without a control stay as they are. */
export const settingsFrom = <G extends SettingGroup>(group: G, form: FormData): GivenSettings<G> =>
  Object.fromEntries(
    settingsOf(group)
      .filter(({ name }) => form.getAll(SENT).includes(name))
      .map((one) => [one.name, one.choices ? form.get(one.name) : switched(one, form.has(one.name))]),
  ) as GivenSettings<G>;
