import type { LabelRow } from "../definitions.ts";
import type { CellLabels } from "./cell.ts";
import { labelValue, OTHER } from "./label-values.ts";

/** Labels as they are recorded: whatever the values are. */
export type GivenLabels = Readonly<Record<string, unknown>>;
export type MakeCell<Cell> = (labels: CellLabels, shared: boolean) => Cell;
type Branch<Cell> = Map<unknown, Branch<Cell> | Cell>;

/**
 * The series of one metric. A recording finds its cell by the given values, a map per label; what the values look like
 * outside is worked out once. Both are bounded: past `limit` series new ones share the cells of `__other__`, and given
 * values past the same bound are worked out each time instead of being remembered.
 */
export class Series<Cell extends object> {
  readonly #names: readonly string[];
  readonly #rows: Readonly<Record<string, LabelRow>>;
  readonly #make: MakeCell<Cell>;
  readonly #limit: number;
  readonly #overflowed: () => void;
  readonly #cells = new Map<string, Cell>();
  readonly #others = new Map<string, Cell>();
  #root: Branch<Cell> = new Map();
  #remembered = 0;

  constructor(rows: Readonly<Record<string, LabelRow>>, make: MakeCell<Cell>, limit: number, overflowed: () => void) {
    this.#names = Object.keys(rows);
    this.#rows = rows;
    this.#make = make;
    this.#limit = limit;
    this.#overflowed = overflowed;
  }

  /** The cell of these labels, or of `__other__`, which counts as an overflow. */
  cell(labels: GivenLabels): Cell {
    let found: Branch<Cell> | Cell | undefined = this.#root;
    for (const name of this.#names) {
      found = (found as Branch<Cell>).get(labels[name]);
      if (found === undefined) return this.#resolve(labels);
    }
    return found === this.#root ? this.#resolve(labels) : (found as Cell);
  }

  /** Makes the series, so that it starts at 0. Half of the room is kept for series that have something to count. */
  touch(labels: GivenLabels): void {
    if (this.#cells.size >= this.#limit / 2) return;
    const exposed = this.#exposed(labels);
    const key = JSON.stringify(exposed);
    if (!this.#cells.has(key)) this.#cells.set(key, this.#new(exposed, false));
  }

  *[Symbol.iterator](): Generator<Cell> {
    yield* this.#cells.values();
    yield* this.#others.values();
  }

  clear(): void {
    this.#cells.clear();
    this.#others.clear();
    this.#root = new Map();
    this.#remembered = 0;
  }

  #resolve(labels: GivenLabels): Cell {
    const exposed = this.#exposed(labels);
    const key = JSON.stringify(exposed);
    let cell = this.#cells.get(key);
    if (cell === undefined && this.#cells.size >= this.#limit) return this.#other(exposed);
    if (cell === undefined) {
      cell = this.#new(exposed, false);
      this.#cells.set(key, cell);
    }
    this.#remember(labels, cell);
    return cell;
  }

  /** Values known beforehand stay, so there are at most as many of these cells as combinations of known values. */
  #other(exposed: readonly string[]): Cell {
    this.#overflowed();
    const kept = exposed.map((value, index) => (this.#isKnown(index, value) ? value : OTHER));
    const key = JSON.stringify(kept);
    let cell = this.#others.get(key);
    if (cell === undefined) {
      cell = this.#new(kept, true);
      this.#others.set(key, cell);
    }
    return cell;
  }

  #exposed(labels: GivenLabels): readonly string[] {
    return this.#names.map((name) => labelValue(labels[name]));
  }

  #isKnown(index: number, value: string): boolean {
    return this.#rows[this.#names[index] as string]?.values?.includes(value) ?? false;
  }

  #new(exposed: readonly string[], shared: boolean): Cell {
    const labels = Object.fromEntries(this.#names.map((name, index) => [name, exposed[index] as string]));
    return this.#make(Object.freeze(labels), shared);
  }

  #remember(labels: GivenLabels, cell: Cell): void {
    const last = this.#names.at(-1);
    if (last === undefined || this.#remembered >= this.#limit) return;
    this.#remembered += 1;
    let branch = this.#root;
    for (const name of this.#names.slice(0, -1)) {
      let next = branch.get(labels[name]) as Branch<Cell> | undefined;
      if (next === undefined) {
        next = new Map();
        branch.set(labels[name], next);
      }
      branch = next;
    }
    branch.set(labels[last], cell);
  }
}
