import { DEVELOPER_SHAPES } from "./developer-shapes.ts";
import { MODEL_SHAPES } from "./model-shapes.ts";
import { PLATFORM_SHAPES } from "./platform-shapes.ts";
import type { SecretShape } from "./secret-shape.ts";
import { SERVICE_SHAPES } from "./service-shapes.ts";
import { TEXT_SHAPES } from "./text-shapes.ts";

export type { SecretShape } from "./secret-shape.ts";

/**
 * Every known secret shape. Where two meet in a text, the earlier row names the marker: an issuer's own shape comes
 * before one that is known by its surroundings only.
 */
export const SECRET_SHAPES: readonly SecretShape[] = [
  ...MODEL_SHAPES,
  ...DEVELOPER_SHAPES,
  ...PLATFORM_SHAPES,
  ...SERVICE_SHAPES,
  ...TEXT_SHAPES,
];
