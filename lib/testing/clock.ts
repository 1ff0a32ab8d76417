import type { Clock } from "@/lib/jobs/scheduler";

/** A clock that advances only in `pass`. Scheduled work runs in order, one at a time. */
export class SteppedClock implements Clock {
  private at: number;
  private scheduled: { at: number; work: () => Promise<void> }[] = [];

  constructor(start: Date) {
    this.at = start.getTime();
  }

  now = (): Date => new Date(this.at);

  after = (ms: number, work: () => Promise<void>): (() => void) => {
    const plan = { at: this.at + ms, work };
    this.scheduled.push(plan);
    return () => {
      this.scheduled = this.scheduled.filter((one) => one !== plan);
    };
  };

  /** Advances the clock and runs the work that is due. */
  async pass(ms: number): Promise<void> {
    const until = this.at + ms;
    for (;;) {
      const [next] = this.scheduled.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.scheduled = this.scheduled.filter((one) => one !== next);
      this.at = next.at;
      await next.work();
    }
    this.at = until;
  }
}
