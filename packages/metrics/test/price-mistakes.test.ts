import { expect, test } from "vitest";

import { createMetrics } from "../src/index.ts";

const MISTAKES: readonly (readonly [prices: unknown, message: string])[] = [
  [[], "prices is a list; it must be an object with a price for each model."],
  [{ "gpt-5": 3 }, 'prices["gpt-5"] is 3; it must be an object such as { input_mtok, output_mtok }.'],
  [
    { "gpt-5": { input_mtok: 1 } },
    'prices["gpt-5"].output_mtok is missing; it must be US dollars per million tokens, a finite number of at least 0.',
  ],
  [
    { ok: { input_mtok: 1, output_mtok: 1 }, "openai/gpt-5": { input_mtok: -1, output_mtok: 1 } },
    'prices["openai/gpt-5"].input_mtok is -1; it must be US dollars per million tokens, a finite number of at least 0.',
  ],
  [
    { m: { input_mtok: "1", output_mtok: 1 } },
    'prices["m"].input_mtok is "1"; it must be US dollars per million tokens, a finite number of at least 0.',
  ],
  [
    { m: { input_mtok: 1, output_mtok: Number.NaN } },
    'prices["m"].output_mtok is NaN; it must be US dollars per million tokens, a finite number of at least 0.',
  ],
  [
    { m: { input_mtok: 1, output_mtok: 1, ouput_mtok: 1 } },
    'prices["m"] has a field "ouput_mtok"; it must be input_mtok, output_mtok, cache_read_mtok, cache_write_mtok, reasoning_mtok.',
  ],
  [{ " ": { input_mtok: 1, output_mtok: 1 } }, 'prices[" "] names no model; it must be `model` or `provider/model`.'],
];

test.for(MISTAKES)("a mistake in the prices is refused with the entry's name: %j", ([prices, message]) => {
  expect(() => createMetrics({ prices: prices as never })).toThrow(
    expect.objectContaining({ code: "METRICS_PRICES_INVALID", message: `METRICS_PRICES_INVALID: ${message}` }),
  );
});
