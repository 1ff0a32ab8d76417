import { type ReactNode, useState } from "react";
import { useAction } from "@/components/actions/actions";
import type { ActionInput } from "@/components/actions/typed";
import { REVENUE_HINT } from "@/components/reports/revenue-hint";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { CopyButton } from "@/components/ui/copy-button";
import { Field } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import { Fresh } from "@/components/ui/fresh-key";
import { Section } from "@/components/ui/section";
import { type Choice, Select } from "@/components/ui/select";
import { Switch } from "@/components/ui/switch";
import { PERIODS } from "@/lib/contract/vocabulary";
import { msg, t } from "@/lib/texts/translate";
import { translated } from "../reports/choices";

export interface LinkChoices {
  segments: Choice[];
  panels: Choice[];
  reports: Choice[];
}

interface Props {
  siteId: number;
  choices: LinkChoices;
  /** Returns an address under the chosen host. */
  under(address: string): string;
  onCreated(): void;
}

const LIFETIMES = [
  { value: "", label: msg("Never") },
  { value: "7", label: msg("In 7 days") },
  { value: "30", label: msg("In 30 days") },
  { value: "90", label: msg("In 90 days") },
  { value: "365", label: msg("In a year") },
];

const { all: _, custom: __, ...LIMITING } = PERIODS;
const FIXED = "fixed";
const PERIOD_CHOICES: Choice[] = [
  { value: "", label: msg("Any period") },
  ...Object.entries(LIMITING).map(([value, label]) => ({ value, label })),
  { value: FIXED, label: msg("Fixed days…") },
];

/** Form for a new private link, and the address of the one that was just created. */
export function CreateLink({ siteId, choices, under, onCreated }: Props) {
  const { perform, busy, problems } = useAction("sites.links.create", {
    fields: ["name", "password", "from", "to", "reports", "panels"],
  });
  const [created, setCreated] = useState<string>();
  const [showsDashboard, setShowsDashboard] = useState(true);
  const [choosesPanels, setChoosesPanels] = useState(false);
  const [period, setPeriod] = useState("");
  const [embeds, setEmbeds] = useState(false);

  async function submit(formData: FormData, form: HTMLFormElement) {
    const text = (name: string) => String(formData.get(name) ?? "") || null;
    const days = text("days");
    const made = await perform({
      site_id: siteId,
      name: text("name") ?? "",
      password: embeds ? null : text("password"),
      expires_in_days: days === null ? null : Number(days),
      segment: text("segment"),
      period: period === FIXED ? null : period || null,
      from: period === FIXED ? text("from") : null,
      to: period === FIXED ? text("to") : null,
      dashboard: showsDashboard,
      panels: showsDashboard && choosesPanels ? formData.getAll("panels") : [],
      reports: formData.getAll("reports"),
      revenue: showsDashboard && formData.has("revenue"),
      embeds,
      credit: formData.has("credit"),
    } as ActionInput<"sites.links.create">);
    if (!made) return;
    form.reset();
    setShowsDashboard(true);
    setChoosesPanels(false);
    setPeriod("");
    setEmbeds(false);
    setCreated(made.url);
    onCreated();
  }

  const { fields } = problems;
  return (
    <>
      {created && <Created url={under(created)} />}
      <Section
        title={t("Create a private link")}
        about={t("Use one link per reader, so that each can be revoked separately.")}
      >
        <Form problem={problems.message} onSubmit={submit} className="space-y-6">
          <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_11rem]">
            <Field
              label={t("For")}
              name="name"
              autoComplete="off"
              placeholder={t("Press")}
              required
              maxLength={100}
              hint={t("Only members of the site see it.")}
              problem={fields.name}
            />
            <Select label={t("Expires")} name="days" choices={translated(LIFETIMES)} defaultValue="90" />
          </div>
          <LinkFields name={t("What it shows")} problem={fields.reports ?? fields.panels}>
            <div className="rounded-lg border border-line">
              <Checkbox
                label={t("Dashboard")}
                hint={t("Visitors, sources, pages, locations and devices, as on a public dashboard.")}
                checked={showsDashboard}
                onChange={(event) => setShowsDashboard(event.target.checked)}
              />
              {showsDashboard && <Checkbox name="revenue" label={t("Show revenue")} hint={t(REVENUE_HINT)} />}
              {showsDashboard && (
                <Checkbox
                  label={t("Only some of its panels")}
                  checked={choosesPanels}
                  onChange={(event) => setChoosesPanels(event.target.checked)}
                />
              )}
              {showsDashboard && choosesPanels && <Boxes name="panels" choices={choices.panels} />}
            </div>
            <LinkReports key={created} choices={choices.reports} />
          </LinkFields>
          <LinkFields name={t("Limits")}>
            <div className="grid gap-4 sm:grid-cols-2">
              <Select
                label={t("Visitors")}
                name="segment"
                choices={[{ value: "", label: t("All visitors") }, ...choices.segments]}
              />
              <Select
                label={t("Period")}
                choices={translated(PERIOD_CHOICES)}
                value={period}
                onChange={(event) => setPeriod(event.target.value)}
              />
              {period === FIXED && (
                <>
                  <Field label={t("First day")} name="from" type="date" required problem={fields.from} />
                  <Field label={t("Last day")} name="to" type="date" required problem={fields.to} />
                </>
              )}
            </div>
            {choices.segments.length === 0 && (
              <p className="text-sm text-muted">
                {t("To limit a link to some visitors, filter the dashboard and save the filters as a segment first.")}
              </p>
            )}
            {!embeds && (
              <Field
                label={t("Password")}
                name="password"
                type="password"
                autoComplete="new-password"
                optional
                hint={t("At least 12 characters. Send it by another way than the link.")}
                problem={fields.password}
              />
            )}
          </LinkFields>
          <div className="space-y-4">
            <Switch
              label={t("For frames on other sites")}
              hint={t("Gives you code to embed it. Everyone who sees the page around it then sees the numbers.")}
              checked={embeds}
              onChange={(event) => setEmbeds(event.target.checked)}
            />
            <Switch
              name="credit"
              label={t("Say “Counted by Footfall”")}
              hint={t("At the top and below the shared pages.")}
              defaultChecked
            />
          </div>
          <Button type="submit" disabled={busy}>
            {busy ? t("Creating…") : t("Create link")}
          </Button>
        </Form>
      </Section>
    </>
  );
}

interface GroupProps {
  name: string;
  problem?: string | undefined;
  children: ReactNode;
}

const LinkFields = ({ name, problem, children }: GroupProps) => (
  <fieldset className="space-y-3">
    <legend className="mb-2 text-sm font-medium">{name}</legend>
    {children}
    {problem && (
      <p role="alert" className="text-sm text-bad">
        {problem}
      </p>
    )}
  </fieldset>
);

interface BoxesProps {
  name: string;
  choices: Choice[];
  isChosen?: (value: string) => boolean;
  onChoose?: (value: string) => void;
}

const Boxes = ({ name, choices, isChosen, onChoose }: BoxesProps) => (
  <div className="grid border-t border-line py-1 sm:grid-cols-2 lg:grid-cols-3">
    {choices.map(({ value, label }) => (
      <Checkbox
        key={value}
        name={name}
        value={value}
        label={label}
        {...(isChosen && { checked: isChosen(value), onChange: () => onChoose?.(value) })}
      />
    ))}
  </div>
);

/** The reports to choose from, all at once or one by one. */
function LinkReports({ choices }: { choices: Choice[] }) {
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const all = chosen.length === choices.length;
  const toggle = (value: string) =>
    setChosen(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]);
  return (
    <div className="rounded-lg border border-line">
      <Checkbox
        label={t("Reports")}
        hint={t("Campaigns, events, funnels and more, each on its own page.")}
        checked={open}
        onChange={(event) => {
          setOpen(event.target.checked);
          setChosen([]);
        }}
      />
      {open && (
        <>
          <Checkbox
            label={t("All reports")}
            checked={all}
            onChange={() => setChosen(all ? [] : choices.map(({ value }) => value))}
          />
          <Boxes name="reports" choices={choices} isChosen={(value) => chosen.includes(value)} onChoose={toggle} />
        </>
      )}
    </div>
  );
}

/** Shows the address of a new link. */
const Created = ({ url }: { url: string }) => (
  <Fresh title={t("Your new link")} about={t("You find it in the list of links too.")}>
    <div className="flex flex-wrap items-center gap-3">
      <p
        data-testid="share-link"
        className="min-w-0 flex-1 basis-64 rounded-lg bg-sunken px-3.5 py-2.5 font-mono text-sm [overflow-wrap:anywhere] select-all"
      >
        {url}
      </p>
      <CopyButton text={url} what={t("the new link")} />
    </div>
  </Fresh>
);
