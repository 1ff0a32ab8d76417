import type { Clock } from "@/lib/jobs/scheduler";

/** Time that only passes when a test says so; what is planned runs in its order, one at a time. */
export class SteppedClock implements Clock {
  private at: number;
  private planned: { at: number; work: () => Promise<void> }[] = [];

  constructor(start: Date) {
    this.at = start.getTime();
  }

  now = (): Date => new Date(this.at);

  after = (ms: number, work: () => Promise<void>): (() => void) => {
    const plan = { at: this.at + ms, work };
    this.planned.push(plan);
    return () => {
      this.planned = this.planned.filter((one) => one !== plan);
    };
  };

  /** Lets so much time pass, with all that is planned in it. */
  async pass(ms: number): Promise<void> {
    const until = this.at + ms;
    for (;;) {
      const [next] = this.planned.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.planned = this.planned.filter((one) => one !== next);
      this.at = next.at;
      await next.work();
    }
    this.at = until;
  }
}
