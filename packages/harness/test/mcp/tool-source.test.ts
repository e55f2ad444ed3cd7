import { expect, test } from "vitest";

import { createEventBus, type Tool } from "../../src/index.ts";
import { createRig, tool } from "../support/rig.ts";

test("a source that tells of a change and has the same tools as before is not worth a notice", async () => {
  let tools: readonly Tool[] = [tool("look")];
  let tell: (problem?: Error) => void = () => undefined;
  const source = {
    name: "shelf",
    get tools() {
      return tools;
    },
    onToolsChange(listener: typeof tell) {
      tell = listener;
      return () => undefined;
    },
  };
  const events = createEventBus();
  const notices: string[] = [];
  events.on("notice", ({ message }) => void notices.push(message));
  createRig({ events, toolSources: [source] });
  tell();
  tools = [...tools, tool("read")];
  tell();
  tell();
  expect(notices).toEqual(["the tools of shelf changed: added read"]);
});
