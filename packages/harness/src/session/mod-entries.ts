import type { JsonValue } from "@hookscope/hooks";
import { mutableCopy } from "@hookscope/hooks/internal";

import { HarnessError } from "../errors.ts";
import type { UserMessage } from "../messages.ts";
import type { CustomEntry, ModSession } from "../mod-session.ts";
import { findUnserialisable } from "../mod-state.ts";
import type { PendingItem } from "./pending.ts";
import { customMessage } from "./view.ts";

type BufferedEntry = Extract<PendingItem, { readonly kind: "entry" }>["entry"];

export interface ModEntryAccess {
  readonly buffer: (entry: BufferedEntry, message?: UserMessage) => { readonly id: string };
  readonly committed: (customType: string) => readonly CustomEntry[];
  readonly pending: () => readonly PendingItem[];
}

export function createModSession(modId: string, access: ModEntryAccess): ModSession {
  return {
    appendCustomEntry({ customType, data }) {
      requireText(modId, "customType", customType);
      const copy = copyData(modId, "data", data);
      const { id } = access.buffer({
        type: "custom",
        modId,
        customType,
        ...(copy === undefined ? {} : { data: copy }),
      });
      return { entryId: id };
    },
    appendCustomMessageEntry({ customType, content, display, details }) {
      requireText(modId, "customType", customType);
      requireText(modId, "content", content);
      const copy = copyData(modId, "details", details);
      const message = customMessage(content);
      const { id } = access.buffer(
        {
          type: "custom_message",
          modId,
          customType,
          content,
          display: Boolean(display),
          ...(copy === undefined ? {} : { details: copy }),
        },
        message,
      );
      return { entryId: id, message };
    },
    getCustomEntries({ customType }) {
      const buffered = access.pending().flatMap((item): readonly CustomEntry[] => {
        if (item.kind !== "entry" || item.entry.type !== "custom") return [];
        const { entry } = item;
        if (entry.modId !== modId || entry.customType !== customType) return [];
        const { data } = entry;
        return [{ id: item.id, timestamp: item.timestamp, customType, ...(data === undefined ? {} : { data }) }];
      });
      // Copies: what the mod does to them is not what it appended.
      return [...access.committed(customType), ...buffered].map((entry) => mutableCopy(entry));
    },
  };
}

/** Taken when it is given: what the mod does to its object later is not what it appended. */
function copyData(modId: string, name: string, data: JsonValue | undefined): JsonValue | undefined {
  if (data === undefined) return undefined;
  const problem = findUnserialisable(data, name, []);
  if (problem !== undefined) throw invalid(modId, problem);
  return JSON.parse(JSON.stringify(data)) as JsonValue;
}

function requireText(modId: string, name: string, value: unknown): void {
  if (typeof value !== "string") throw invalid(modId, `\`${name}\` must be a string.`);
}

function invalid(modId: string, problem: string): HarnessError {
  return new HarnessError("SESSION_ENTRY_INVALID", `an entry of mod "${modId}" cannot be recorded: ${problem}`);
}
