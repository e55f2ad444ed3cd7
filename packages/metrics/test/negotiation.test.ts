import { expect, test } from "vitest";

import { OPEN_METRICS, PLAIN_TEXT, preferredFormat } from "../src/exposition.ts";

const CASES: readonly (readonly [accept: string | undefined, format: string, what: string])[] = [
  [undefined, PLAIN_TEXT, "a scraper that says nothing"],
  ["*/*", PLAIN_TEXT, "curl"],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", PLAIN_TEXT, "a browser"],
  ["text/plain;version=0.0.4", PLAIN_TEXT, "an old Prometheus"],
  ["application/openmetrics-text", OPEN_METRICS, "one that takes OpenMetrics"],
  ["Application/OpenMetrics-Text; Version=1.0.0; charset=utf-8", OPEN_METRICS, "capitals and blanks"],
  [
    "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
    OPEN_METRICS,
    "a new Prometheus",
  ],
  ["application/openmetrics-text;version=0.0.1", PLAIN_TEXT, "one that takes only an older OpenMetrics"],
  ["application/openmetrics-text;q=0.2,text/plain;q=0.5", PLAIN_TEXT, "one that prefers plain text"],
  ["text/plain,application/openmetrics-text", OPEN_METRICS, "one that likes both alike"],
  ["application/openmetrics-text;q=0", PLAIN_TEXT, "one that refuses OpenMetrics"],
  ["application/openmetrics-text;q=nonsense", PLAIN_TEXT, "a weight that is no number"],
];

test.for(CASES)("Accept: %s gets %s (%s)", ([accept, format]) => {
  expect(preferredFormat(accept)).toBe(format);
});
