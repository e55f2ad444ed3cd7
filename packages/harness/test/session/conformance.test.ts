import { SESSION_STORE_CONFORMANCE } from "@hookscope/testing";
import { describe, expect, test } from "vitest";

import { PLACES } from "./places.ts";

describe.for(Object.entries(PLACES))("%s", ([, createPlace]) => {
  test.for(SESSION_STORE_CONFORMANCE)("$rule", async ({ run }) => {
    await expect(run(createPlace)).resolves.toBeUndefined();
  });
});
