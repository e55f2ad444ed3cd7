import type { JsonObject } from "@hookscope/hooks";

/** How much the agent may do unasked. */
export type PermissionMode = "default" | "accept-edits" | "plan" | "yolo" | "dont-ask";

export interface PermissionRequest {
  readonly toolName: string;
  readonly input: JsonObject;
  /** A sentence for a person; null when none was made in time */
  readonly description: string | null;
  readonly permissionMode: PermissionMode;
}

export type PermissionAnswer =
  | { readonly decision: "allow" }
  | { readonly decision: "deny"; readonly reason?: string | undefined }
  /** The call goes on to the hooks, and to a person before it runs. */
  | { readonly decision: "ask"; readonly question?: string | undefined };

/** Whether a call may run at all. Throwing denies. */
export interface Permissions {
  check(request: PermissionRequest): PermissionAnswer | Promise<PermissionAnswer>;
  /** A sentence that tells a person what the call does; more than 5 s counts as null. */
  generateDescription?(request: {
    readonly toolName: string;
    readonly input: JsonObject;
    readonly signal: AbortSignal;
  }): Promise<string | null>;
  /** Read once per round, where the harness has no option `permissionMode`. */
  mode?(): PermissionMode;
  /** Tells of each change of the mode, at once: it becomes the event `permission_mode_changed`. */
  onModeChange?(listener: (mode: PermissionMode) => void): () => void;
}
