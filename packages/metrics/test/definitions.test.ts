import { expect, test } from "vitest";

import { FAILURES, METRIC_NAMES, METRICS, METRICS_ERRORS } from "../src/index.ts";

const FORBIDDEN = ["session", "turn", "trace", "path", "command", "reason_text", "user", "le", "quantile"];

test.for(METRIC_NAMES)("%s fits the conventions of names, help and buckets", (name) => {
  const row = METRICS[name];
  expect(name).toMatch(/^(agent|hookscope)_[a-z][a-z_]*[a-z]$/);
  expect(name.endsWith("_total")).toBe(row.type === "counter");
  expect(/(?<!_timestamp)_seconds$/.test(name)).toBe(row.type === "histogram");
  expect(row.help).toMatch(/^[A-Z1][^"\\\n]*\.$/);
  expect(row.advice).toMatch(/^[A-Z][^"\\\n]*[.?]$/);
  expect(Object.keys(row.labels).filter((label) => FORBIDDEN.includes(label))).toEqual([]);
  expect(row.unit === "1").toBe(name.endsWith("_ratio"));
  expect(row.unit === "s").toBe(name.endsWith("_seconds"));
  const buckets = row.buckets ?? [];
  expect(buckets.length > 0).toBe(row.type === "histogram");
  expect(buckets.toSorted((a, b) => a - b)).toEqual(buckets);
});

test("an aborted call is no failure", () => {
  expect(FAILURES).toEqual(["error", "timeout", "suspended", "invalid_result"]);
});

test("every error says what it means", () => {
  for (const text of Object.values(METRICS_ERRORS)) expect(text).toMatch(/^[A-Z].*\.$/);
});
