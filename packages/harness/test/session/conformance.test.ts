import { SESSION_STORE_CONFORMANCE } from "@hookscope/testing";
import { describe, test } from "vitest";

import { PLACES } from "./places.ts";

describe.for(Object.entries(PLACES))("%s", ([, createPlace]) => {
  test.for(SESSION_STORE_CONFORMANCE)("$rule", ({ run }) => run(createPlace));
});
