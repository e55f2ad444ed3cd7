type Given<Value> = { readonly [Key in keyof Value]: Exclude<Value[Key], undefined> };

/** The fields that have a value. */
export function withoutUndefined<Value extends object>(value: Value): Partial<Given<Value>> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Partial<Given<Value>>;
}
