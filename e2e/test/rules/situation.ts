/** Series by their selector, in promtool's notation, one value per minute: `0x5` stays for five more minutes. */
export type Input = Readonly<Record<string, string>>;

export interface Situation {
  /** What happens; completes "fires when" or "stays quiet when". */
  readonly when: string;
  readonly input: Input;
  /** The minute at which it is looked at. */
  readonly at: number;
  /** The alert's labels, but for its name and severity; of each alert that fires. */
  readonly alerts: readonly Readonly<Record<string, string>>[];
}

export interface AlertCases {
  readonly fires: readonly [Situation, ...Situation[]];
  readonly quiet: readonly [Situation, ...Situation[]];
}
