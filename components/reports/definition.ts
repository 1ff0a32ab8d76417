import type { ReactNode } from "react";
import type { z } from "zod";
import type { ReportProps, Sheet } from "@/components/reports/sheet";
import type { SearchParams } from "@/components/reports/view";
import type { AnyOperation, Operation } from "@/lib/contract/define";
import type { SiteShape } from "@/lib/contract/fields";

/** Returns the name of who created something: "you" for the reader, null if unknown or no longer a member. */
export type CreatorOf = (personId: number | null) => string | null;

/** Where and for whom a report is shown. */
export interface Place {
  site: Pick<SiteShape, "site_id" | "domain" | "reporting_currency" | "role">;
  /** Reads what the page needs besides the answer, as its reader. @throws Refusal of the operation */
  read<Input extends z.ZodObject, Output extends z.ZodType>(
    op: Operation<Input, Output>,
    input: z.input<Input>,
  ): Promise<z.output<Output>>;
  /** Names of the members of the site. */
  creators(): Promise<CreatorOf>;
  /** The path of its own page. */
  path: string;
  /** The search parameters of its page; none on a dashboard. */
  query: SearchParams;
  /** Whether it is a panel of a dashboard, where nothing is changed. */
  onDashboard: boolean;
  /** Whether its reader has no account, and can open no other page. */
  isShared?: true;
}

/** A report: what it asks, what its page and its downloads show. */
interface Definition<Input extends z.ZodObject, Output extends z.ZodType> {
  /** The heading of its page, if it is not its name in `REPORTS`. */
  title?: string;
  /** What it answers, for people, below the heading, if it is not what `REPORTS` says. */
  about?: string;
  op: Operation<Input, Output>;
  /** The answer as tables, for the page and its CSV. */
  sheets(answer: z.output<Output>): Sheet[];
  /** What the answer says, in one or two plain sentences above it: what changed, or what is worst; null for nothing. */
  says(answer: z.output<Output>): string | null;
  /** Renders the answer. Parts for browsers are imported when it runs, so that a page loads the script of its own report only. */
  body(shown: ReportProps<z.output<Output>> & Place): Promise<ReactNode>;
  /** Content above and below the answer on its own page, shown also when the query is refused. */
  above?(place: Place): ReactNode;
  below?(place: Place): ReactNode;
  /** Whether the answer has numbers that are given to the first or the last visit, by the reader's choice. */
  attributed?(answer: z.output<Output>): boolean;
  /** Parameters of its URL that the choice of a goal resets. */
  goalResets?: readonly string[];
  /** Its own parts have the choice of a goal. */
  ownGoal?: true;
  /** Returns what it asks about the chosen goal, where its operation takes a goal with some other parameters only. */
  withGoal?(goal: string, query: SearchParams): Partial<z.input<Input>>;
  /** Not compared with another range. */
  alone?: true;
  /** Counts the classes of traffic that it is about, whatever is selected. */
  ownTraffic?: true;
  /** Always compared: with the previous period where the view has no comparison. */
  compared?: true;
  /** Always about the present, whatever range is selected. */
  now?: true;
}

/** Any report, with the texts of its heading. */
export type Report = Omit<
  Definition<z.ZodObject, z.ZodType>,
  "title" | "about" | "op" | "sheets" | "says" | "attributed" | "withGoal" | "body"
> & {
  title: string;
  about: string;
  op: AnyOperation;
  sheets(answer: unknown): Sheet[];
  says(answer: unknown): string | null;
  attributed?(answer: unknown): boolean;
  withGoal?(goal: string, query: SearchParams): Record<string, unknown>;
  body(shown: ReportProps<unknown> & Place): Promise<ReactNode>;
};

type Defined = Omit<Report, "title" | "about"> & Partial<Pick<Report, "title" | "about">>;

export const defineReport = <Input extends z.ZodObject, Output extends z.ZodType>(
  definition: Definition<Input, Output>,
): Defined => definition as unknown as Defined;
