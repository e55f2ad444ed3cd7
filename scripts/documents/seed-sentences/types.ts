/** One sentence of a seed that states behaviour, by its first words. */
export type SeedSentence =
  /** The test of that name in the section's file; a test for several cases may go on after it. */
  | string
  | {
      readonly says: string;
      /** The name of the test, where it is not the sentence. */
      readonly test?: string;
      /** The test's file, where it is not the section's. */
      readonly in: string;
    }
  /** It is not so here: the page of docs/decisions that says why. */
  | { readonly says: string; readonly departure: string }
  /** Its test is still to come, with the part named. */
  | { readonly says: string; readonly pending: string };

export interface SeedSection {
  readonly title: string;
  /** Where the tests of its sentences are. */
  readonly file: string;
  readonly sentences: readonly SeedSentence[];
}

export interface Seed {
  readonly title: string;
  readonly sections: readonly SeedSection[];
}
