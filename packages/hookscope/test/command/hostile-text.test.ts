import { expect, test } from "vitest";

import { branchSession, exportSession, listSessions, showSession } from "../../src/commands/sessions.ts";
import { timeline } from "../../src/commands/timeline.ts";
import type { OutputFlags, Terminal } from "../../src/terminal.ts";
import { streamReply, streamToolCall } from "../fixtures/chat-server.ts";
import { captureTerminal } from "../fixtures/terminal.ts";
import { inWorkspace } from "../fixtures/workspace.ts";

/** Colour, the window's title, a cursor movement of one character, and a turned line. */
const HOSTILE = "\u001B[31mred\u001B]0;title\u0007\u009B2J\u202Etxt\rgone";
const DRAWING = /(?!\n)[\p{Cc}\u202A-\u202E]/u;

test("what a model, a tool and a hook wrote draws on no terminal", async () => {
  let calls = 0;
  await inWorkspace(
    async (workspace) => {
      await workspace.write({
        "guard.mjs": `export default { name: "guard", register(context) { context.hook({ name: ${JSON.stringify(`guard${HOSTILE}`)}, points: ["pre_tool_call"], call: () => ({ decision: "block", reason: ${JSON.stringify(HOSTILE)} }) }); } };`,
        "my.toml": '[plugins]\npaths = ["guard.mjs"]\n[telemetry]\nrecord_content = true\n',
      });
      const { output, errors } = await workspace.run("--session", `s${HOSTILE}`, "--config", "my.toml");
      expect([output.match(DRAWING), errors.match(DRAWING)]).toEqual([null, null]);
      expect(output).toContain("BLOCKED");
      const session = await workspace.hookscope(["sessions", "show", `s${HOSTILE}`, "--json"]);
      const [{ id: entry = "" } = {}] = (JSON.parse(session.output) as { readonly entries: readonly { id?: string }[] })
        .entries;
      const shows: readonly ((terminal: Terminal, flags: OutputFlags) => Promise<number>)[] = [
        (terminal, flags) => timeline(terminal, flags),
        (terminal, flags) => timeline(terminal, { ...flags, list: true }),
        (terminal, flags) => timeline(terminal, { ...flags, json: true }),
        (terminal, flags) => listSessions(terminal, flags),
        (terminal, flags) => showSession(terminal, `s${HOSTILE}`, flags),
        (terminal, flags) => exportSession(terminal, `s${HOSTILE}`, flags),
        (terminal, flags) => branchSession(terminal, `s${HOSTILE}`, entry, { ...flags, new: `t${HOSTILE}` }),
        (terminal, flags) => exportSession(terminal, `s${HOSTILE}`, { ...flags, format: "json" }),
      ];
      for (const show of shows) {
        const { terminal, output: shown } = captureTerminal(workspace.home, { workingDirectory: workspace.directory });
        Object.assign(terminal.output, { isTTY: true });
        await show(terminal, { color: false });
        const text = shown();
        expect([text.length > 0, text.match(DRAWING)]).toEqual([true, null]);
      }
    },
    (_request, response) => {
      calls += 1;
      if (calls === 1) streamToolCall(response, "shell", { command: HOSTILE });
      else streamReply(response, [HOSTILE]);
    },
  );
});
