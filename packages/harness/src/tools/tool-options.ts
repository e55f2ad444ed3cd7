import { HarnessError } from "../errors.ts";
import {
  ANYTHING,
  checkFields,
  describeValue,
  isObject,
  objectWith,
  type FieldRule,
  type FieldRules,
} from "../field-rules.ts";

/** For the folder, which is checked where it is looked at. */
export const ROOT: FieldRule = ANYTHING;
export const CLOCK: FieldRule = objectWith("now", "setTimer");
export const ENVIRONMENT: FieldRule = {
  must: "an object of texts",
  fits: (value) => isObject(value) && Object.values(value).every((text) => typeof text === "string"),
};

/** @throws HarnessError HARNESS_OPTION_INVALID */
export function checkToolOptions<Options extends object>(options: Options, rules: FieldRules<Options>): void {
  const given: unknown = options;
  if (!isObject(given)) {
    const problem = `the options of a tool are ${describeValue(given)}; they must be an object with \`root\`.`;
    throw new HarnessError("HARNESS_OPTION_INVALID", problem);
  }
  checkFields(given, rules);
}
