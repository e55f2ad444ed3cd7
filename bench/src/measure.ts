/** One way of doing something, `times` times. */
export interface Case {
  readonly name: string;
  /** Ratios that are aimed at, each to another case of the same table. */
  readonly aims?: readonly Aim[];
  run(times: number): Promise<void> | void;
}

export interface Aim {
  readonly atMost: number;
  /** Which case, from 0; default the first. */
  readonly of?: number;
}

export interface Measured {
  readonly name: string;
  /** Median over the rounds, of the time one took. */
  readonly nanoseconds: number;
  /** Median over the rounds, of the ratio to the first case in that same round. */
  readonly ratio: number;
  readonly aims?: readonly MeasuredAim[];
}

export interface MeasuredAim {
  readonly atMost: number;
  readonly of: number;
  readonly ratio: number;
}

const ROUNDS = 21;
const TARGET_MS = 20;
/** Long enough for everything to be compiled with what it is used for. */
const WARM_UP_MS = 250;

/** Measures the cases interleaved, round by round, so that what disturbs the machine disturbs all of them. */
export async function measure(cases: readonly Case[]): Promise<readonly Measured[]> {
  const times: number[] = [];
  for (const one of cases) times.push(await warmUp(one));
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
  return summarise(cases, rounds);
}

function summarise(cases: readonly Case[], rounds: readonly (readonly number[])[]): readonly Measured[] {
  const ratio = (index: number, of: number): number =>
    median(rounds.map((durations) => (durations[index] as number) / (durations[of] as number)));
  return cases.map(({ name, aims }, index) => ({
    name,
    nanoseconds: median(rounds.map((durations) => durations[index] as number)),
    ratio: ratio(index, 0),
    aims: aims?.map(({ atMost, of = 0 }) => ({ atMost, of, ratio: ratio(index, of) })) ?? [],
  }));
}

/** Runs the case until it is compiled, and gives how many times fill the target. */
export async function warmUp(one: Case): Promise<number> {
  const end = performance.now() + WARM_UP_MS;
  let times = 10;
  for (;;) {
    const nanoseconds = await time(one, times);
    const fitting = Math.max(1, Math.ceil((TARGET_MS * 1e6) / Math.max(nanoseconds, 1)));
    if (performance.now() >= end && nanoseconds * times >= (TARGET_MS * 1e6) / 2) return fitting;
    times = Math.max(1, Math.min(fitting, times * 10));
  }
}

/** Nanoseconds of processor time, of all threads: what else runs on the machine does not count, and collecting garbage does. */
async function time(one: Case, times: number): Promise<number> {
  const start = process.cpuUsage();
  await one.run(times);
  const { user, system } = process.cpuUsage(start);
  return ((user + system) * 1_000) / times;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}
