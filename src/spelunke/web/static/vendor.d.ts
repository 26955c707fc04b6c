// The types of vendor.js: htmx, its stream extension, Idiomorph and SortableJS, as the build puts them together.
import type { Htmx } from "htmx.org";
import type { Idiomorph as Morpher } from "idiomorph";
import type { default as SortableJS } from "sortablejs";

declare global {
  /** A stream as its extension knows it; between two of them it waits, which `delayCanceller` ends. */
  interface StreamConnection {
    attempt: number;
    reader: ReadableStreamDefaultReader | null;
    delayCanceller: (() => void) | null;
  }

  /** One message of a stream; `event` is empty for pushes. */
  interface StreamMessage {
    event: string;
    data: string;
    id: string;
  }

  /** Closes something when the user asks for it, by Escape or by Android's Back. Chromium alone has it. */
  interface CloseWatcher extends EventTarget {
    destroy(): void;
  }
  interface Window {
    CloseWatcher?: new () => CloseWatcher;
  }

  const htmx: Htmx;
  const Idiomorph: typeof Morpher;
  /** Undefined until a page has fetched it (`own-order.js`). */
  var Sortable: typeof SortableJS | undefined;

  /** What htmx's stream extension tells: its own types leave it out. */
  interface DocumentEventMap {
    "htmx:sse:before:connection": CustomEvent<{ connection: StreamConnection }>;
    "htmx:sse:after:connection": CustomEvent<{ connection: StreamConnection }>;
    "htmx:sse:before:message": CustomEvent<{
      connection: StreamConnection;
      message: StreamMessage;
      waitUntil: (promise: Promise<unknown>) => void;
    }>;
    "htmx:sse:after:message": CustomEvent<{ message: StreamMessage }>;
    "htmx:sse:error": CustomEvent<unknown>;
    "htmx:sse:close": CustomEvent<unknown>;
  }
}
