/**
 * Closes what was opened, the last first, whatever one of them fails with: spans must still go out when a session's file
 * cannot be closed.
 *
 * @throws what the first that failed threw
 */
export async function closeAll(open: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of open.toReversed()) await close().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
