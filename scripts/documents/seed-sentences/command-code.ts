import { CONTRACTS } from "./command-code-contracts.ts";
import { EVENTS } from "./command-code-events.ts";
import { LIFECYCLE } from "./command-code-lifecycle.ts";
import type { Seed } from "./types.ts";

export const COMMAND_CODE: Seed = {
  title: "Command Code: hooks and events",
  sections: [...LIFECYCLE, ...CONTRACTS, ...EVENTS],
};
