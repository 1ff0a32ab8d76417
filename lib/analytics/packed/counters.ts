import type { PackedCover } from "@/lib/analytics/cover";
import { PackedDays } from "@/lib/analytics/packed/chunks";
import { count, type Task } from "@/lib/analytics/packed/counting";
import { type Asked, type Counts, SUMS } from "@/lib/analytics/packed/tally";
import type { Scope } from "@/lib/analytics/question";
import type { Sums } from "@/lib/analytics/sums";
import { reportWork } from "@/lib/db";
import { processWide } from "@/lib/process-wide";

/** Who counts packed days: threads where the server has some, and else the one that asks. */

/** @throws TooManyGroups, and the signal's reason once it is aborted. */
export type CountElsewhere = (task: Task, signal?: AbortSignal) => Promise<Counts[]>;

const shelf = processWide<{ elsewhere?: CountElsewhere }>("counters", () => ({}));

/** Lets threads count from now on. */
export function countElsewhere(elsewhere: CountElsewhere): void {
  shelf.elsewhere = elsewhere;
}

/** The packed days of this process's database, over the connections for reports. */
export const packedDays = (): PackedDays => new PackedDays((work) => reportWork().lend(work));

function counted(task: Task): Promise<Counts[]> {
  const { elsewhere } = shelf;
  return elsewhere ? reportWork().inTurn((signal) => elsewhere(task, signal)) : count(packedDays(), task);
}

const taskOf = (
  { siteId, traffic }: Scope,
  { packed: filters, version }: PackedCover,
  blocks: readonly number[],
  asked: readonly Asked[],
  daily: boolean,
): Task => ({ siteId, traffic, filters, blocks, version, asked, daily });

/**
 * Adds up packed days, all that is asked in one pass.
 *
 * @param most how many combinations of values are told apart; the usual limit when not given.
 * @throws TooManyGroups
 */
export const tally = (scope: Scope, cover: PackedCover, asked: readonly Asked[], most?: number): Promise<Counts[]> =>
  counted({ ...taskOf(scope, cover, cover.blocks[1], asked, false), most });

/** What each of these days comes to, without the scroll depth. */
export async function dailySums(
  scope: Scope,
  cover: PackedCover,
  blocks: readonly number[],
): Promise<(Sums & { block: number })[]> {
  const asked: Asked[] = [{ by: [], parts: ["visits", "events"] }];
  const [days] = await counted(taskOf(scope, cover, blocks, asked, true));
  const places = new Map(Array.from(days?.values[0] ?? [], (block, place) => [block, place]));
  return blocks.map((block) => {
    const place = places.get(block) ?? -1;
    const sums = Object.fromEntries(SUMS.map((name) => [name, days?.sums[name][place] ?? 0]));
    return { block, ...(sums as unknown as Sums) };
  });
}
