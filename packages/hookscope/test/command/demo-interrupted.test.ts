import { expect, test } from "vitest";

import { demo } from "../../src/commands/demo.ts";
import { withHome } from "../fixtures/command.ts";
import { captureTerminal } from "../fixtures/terminal.ts";

test("an interrupt before the message became a turn ends the demo as any interrupt does", async () => {
  await withHome(async (home) => {
    const { terminal, errors } = captureTerminal(home, {
      onInterrupt(listener) {
        queueMicrotask(listener);
        return () => undefined;
      },
    });
    expect([await demo(terminal, { json: true }), errors()]).toEqual([130, ""]);
  });
});
