import { createColors } from "picocolors";

/** What a piece of a line is, for its colour. Nothing is said by colour alone. */
export type Tone =
  | "plain"
  | "quiet"
  | "strong"
  | "model"
  | "tool"
  | "hook"
  | "waiting"
  | "good"
  | "changed"
  | "warning"
  | "bad";

export type Paint = (tone: Tone, text: string) => string;

export function createPaint(colour: boolean): Paint {
  const colours = createColors(colour);
  const tones: { readonly [Name in Tone]: (text: string) => string } = {
    plain: String,
    quiet: colours.dim,
    strong: colours.bold,
    model: colours.blueBright,
    tool: colours.green,
    hook: colours.magenta,
    waiting: colours.yellow,
    good: colours.green,
    changed: colours.cyan,
    warning: (text) => colours.bold(colours.yellow(text)),
    bad: (text) => colours.bold(colours.red(text)),
  };
  return (tone, text) => (text === "" ? "" : tones[tone](text));
}
