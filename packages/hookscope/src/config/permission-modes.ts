import type { PermissionMode } from "@hookscope/harness";

/** As a key, so that none is left out. */
const MODES: { readonly [Mode in PermissionMode]: true } = {
  default: true,
  "accept-edits": true,
  plan: true,
  yolo: true,
  "dont-ask": true,
};

export const PERMISSION_MODES: readonly PermissionMode[] = Object.keys(MODES) as PermissionMode[];
