import { describeThrown } from "../describe-thrown.ts";
import type { TurnScope } from "../scope.ts";
import type { ChildRequest, Session } from "./session.ts";

/**
 * Gives work a session of its own under the turn's, where that has one, and lets it go afterwards. What could not be written
 * then is said: the work is done, and its result known.
 *
 * @throws what making the session throws; what the work throws
 */
export async function withChildSession<Value>(
  scope: TurnScope,
  child: ChildRequest,
  work: (session: Session | undefined) => Promise<Value>,
): Promise<Value> {
  const session = await scope.session?.createChild(child);
  try {
    return await work(session);
  } finally {
    await session?.close().catch((error: unknown) => {
      const message = scope.setup.core.redactText(`a subagent's session is not whole: ${describeThrown(error)}`);
      scope.emit({ type: "notice", level: "warning", message });
    });
  }
}
