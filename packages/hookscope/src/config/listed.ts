/** `a, b or c` */
export function listed(names: readonly string[]): string {
  const others = names.slice(0, -1);
  const last = names.at(-1) ?? "";
  return others.length === 0 ? last : `${others.join(", ")} or ${last}`;
}
