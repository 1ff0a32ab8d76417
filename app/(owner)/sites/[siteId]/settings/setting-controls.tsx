import { Select } from "@/components/ui/select";
import { Switch } from "@/components/ui/switch";
import {
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
}

/** The controls of a group of settings of a site, in a form that `settingsFrom` reads. */
export function SettingControls<G extends SettingGroup>({ group, values }: Props<G>) {
  const now: Readonly<Record<string, unknown>> = values;
  return settingsOf(group).map((setting) => <Control key={setting.name} setting={setting} value={now[setting.name]} />);
}

function Control({ setting, value }: { setting: SiteSetting; value: unknown }) {
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

/** Returns the values of a group in a form that was sent. */
export const settingsFrom = <G extends SettingGroup>(group: G, form: FormData): SettingValues<G> =>
  Object.fromEntries(
    settingsOf(group).map((one) => [one.name, one.choices ? form.get(one.name) : switched(one, form.has(one.name))]),
  ) as SettingValues<G>;
