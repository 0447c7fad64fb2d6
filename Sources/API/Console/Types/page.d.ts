// Shapes that every room uses and that JSDoc cannot spell: recursive types and generic callbacks.

/** What an element may have within it; null, undefined and false are left out. */
type Child = Node | string | number | null | undefined | false | Child[];

/** Attributes of an element; `on` has listeners by event, `style` custom properties. */
interface Attributes {
  on?: { [Type in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Type] & { target: any }) => unknown };
  style?: Record<string, string>;
  [attribute: string]: any;
}

/** A control may have any attribute beside these. */
interface ButtonOptions extends Attributes {
  /** Why it may not be pressed; null where it may. */
  refusal?: string | null;
  kind?: "primary" | "quiet" | "danger";
  label?: string | null;
  icon?: Node;
  /** Whether it waits for a moment where it is drawn right after something was sent. */
  settles?: boolean;
}

interface FieldOptions extends Attributes {
  type?: string;
  hint?: string;
  tag?: keyof HTMLElementTagNameMap;
}

/** A violation or a warning, and the path of its place. */
interface Finding {
  path?: string;
  code?: string;
  message: string;
  severity: "violation" | "warning";
}

/** A labelled input, with the place for what is said of it. */
interface Field {
  row: HTMLElement;
  input: HTMLInputElement;
  messages: HTMLElement;
  say(findings: Finding[]): void;
}

/** A page of a list. */
interface Page<Entry> {
  items: Entry[];
  next: string | null;
}

/** What a request may be given beside its path. */
interface RequestOptions {
  query?: Record<string, string | number | boolean | null | undefined>;
  fields?: Record<string, string>;
  signal?: AbortSignal;
  keepalive?: boolean;
  /** A JSON document. */
  body?: unknown;
  /** Another body, and its media type. */
  bytes?: Blob;
  type?: string;
  /** Sentences for error codes of this request, more exact than the general ones. */
  meanings?: Record<string, string>;
}

interface ListOptions extends RequestOptions {
  cursor?: string | null;
  limit?: number;
}

interface HTMLElementTagNameMap {
  "lp-phone": import("../Files/phone/phone.js").Phone;
}
