import type { SessionSummary } from "@hookscope/harness";

export interface FamilyMember {
  readonly session: SessionSummary;
  /** 0 for a person's session, 1 for those of its subagents. */
  readonly depth: number;
}

/** Each session followed by those of its subagents. One whose parent is not there stands for itself. */
export function inFamilies(sessions: readonly SessionSummary[]): readonly FamilyMember[] {
  const ids = new Set(sessions.map(({ id }) => id));
  const isHead = ({ id, subagentOf }: SessionSummary): boolean =>
    subagentOf === undefined || subagentOf.sessionId === id || !ids.has(subagentOf.sessionId);
  const members: FamilyMember[] = [];
  const listed = new Set<string>();
  const list = (session: SessionSummary, depth: number): void => {
    if (listed.has(session.id)) return;
    listed.add(session.id);
    members.push({ session, depth });
    for (const other of sessions) if (other.subagentOf?.sessionId === session.id) list(other, depth + 1);
  };
  for (const session of sessions) if (isHead(session)) list(session, 0);
  // What is left says that it is its own ancestor's.
  for (const session of sessions) list(session, 0);
  return members;
}
