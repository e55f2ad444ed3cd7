import { describeThrown } from "../describe-thrown.ts";
import type { Progress } from "../progress.ts";
import type { TurnScope } from "../scope.ts";

/**
 * Commits what the last round's commit could not hold: an interrupted turn's messages, what was sent in place of the reply.
 *
 * @returns what went wrong, where it did
 */
export async function recordTurn(scope: TurnScope, progress: Progress, sent: string): Promise<Error | undefined> {
  const { session } = scope;
  if (session === undefined) return undefined;
  try {
    if (sent !== progress.finalText) session.recordReply(sent);
    await session.commit(progress.state);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(describeThrown(error));
  }
}

/**
 * Commits what mods appended while the turn was closing. The turn itself is recorded by then and its result is known, so a
 * failure is said, and what was appended waits for the next commit.
 */
export async function recordClosing(scope: TurnScope, progress: Progress): Promise<void> {
  try {
    await scope.session?.commit(progress.state);
  } catch (error) {
    const { core } = scope.setup;
    const message = core.redactText(
      `what mods appended at the end of the turn is not written yet: ${describeThrown(error)}`,
    );
    core.log.warn(`session closing ${scope.turn.session_id}`, message);
    scope.emit({ type: "notice", level: "warning", message });
  }
}
