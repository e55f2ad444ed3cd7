import { readLedger } from "./ledger.js";

/** The sum of each category, and of all of them. */
export function report(text) {
  const totals = new Map();
  let sum = 0;
  for (const { category, amount } of readLedger(text)) {
    const value = parseInt(amount, 10);
    totals.set(category, (totals.get(category) ?? 0) + value);
    sum += value;
  }
  return { totals, sum };
}
