/** One way of doing something, `times` times. */
export interface Case {
  readonly name: string;
  run(times: number): Promise<void> | void;
}

export interface Measured {
  readonly name: string;
  /** Median over the rounds, of the time one took. */
  readonly nanoseconds: number;
  /** Median over the rounds, of the ratio to the first case in that same round. */
  readonly ratio: number;
}

const ROUNDS = 15;
const TARGET_MS = 25;

/** Measures the cases interleaved, round by round, so that what disturbs the machine disturbs all of them. */
export async function measure(cases: readonly Case[]): Promise<readonly Measured[]> {
  const times = await Promise.all(cases.map(() => 0));
  for (const [index, one] of cases.entries()) times[index] = await warmUp(one);
  const rounds: number[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const durations: number[] = [];
    // The order is turned in every other round, so that no case always runs on another's garbage.
    const order = [...cases.keys()];
    if (round % 2 === 1) order.reverse();
    for (const index of order) {
      globalThis.gc?.();
      durations[index] = await time(cases[index] as Case, times[index] as number);
    }
    rounds.push(durations);
  }
  return cases.map(({ name }, index) => ({
    name,
    nanoseconds: median(rounds.map((durations) => durations[index] as number)),
    ratio: median(rounds.map((durations) => (durations[index] as number) / (durations[0] as number))),
  }));
}

/** Runs the case until it is compiled, and gives how many times fill the target. */
async function warmUp(one: Case): Promise<number> {
  let times = 100;
  for (;;) {
    const nanoseconds = await time(one, times);
    if (nanoseconds * times >= TARGET_MS * 1e6) return times;
    times = Math.max(times * 2, Math.min(Math.ceil((TARGET_MS * 1e6) / nanoseconds), times * 10));
  }
}

async function time(one: Case, times: number): Promise<number> {
  const start = process.hrtime.bigint();
  await one.run(times);
  return Number(process.hrtime.bigint() - start) / times;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}
