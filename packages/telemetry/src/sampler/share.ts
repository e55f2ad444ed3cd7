/**
 * Whether a trace is in the share. Its last 14 digits are random (W3C Trace Context, level 2), and it is in where they are
 * at or above the threshold, as in OpenTelemetry's consistent probability sampling: the same for everyone with the same
 * share, and whoever keeps a larger one keeps all of a smaller one's. 13 of the digits are looked at: so many a number
 * holds exactly.
 */
export function isInShare(traceId: string, share: number): boolean {
  const randomness = Number.parseInt(traceId.slice(-14, -1), 16);
  return randomness >= (1 - share) * 2 ** 52;
}
