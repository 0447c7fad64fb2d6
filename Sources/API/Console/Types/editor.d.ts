// Shapes that the parts of the editor share.

/** An edit of the set, and the step of undo that it belongs to. */
type EditSet = (edit: (set: ShortcutSet) => ShortcutSet, step: string | null) => void;

/** What the parts of the editor are given by its room. */
interface EditorContext {
  edit: EditSet;
  set(): ShortcutSet;
  /** Why nothing may be edited; null where it may. */
  refusal: string | null;
  /** Whether a menu with an item of this id was published, so that the id cannot change. */
  isPublished(id: string): boolean;
  /** Gives a new item its id, as a part of the step of undo. */
  identify(id: string, step: string | null): void;
  /** Changes an id; returns why it cannot be used. */
  rename(id: string, now: string): string;
  /** Told when a field of an item got the focus, with its language. */
  focused(id: string, tag: string | null): void;
  /** The title of an item, or its id. */
  nameOf(id: string): string;
  /** Told when an item was folded or unfolded. */
  folded(): void;
  /** Told when what was held back has to be said now. */
  touched(): void;
}

interface ItemContext extends EditorContext {
  move(id: string, by: number): void;
  remove(id: string): void;
}

/** What an item's editor shows beside the item. */
interface ItemState {
  index: number;
  count: number;
  languages: string[];
  defaultLanguage: string;
  findings: Required<Finding>[];
  /** Whether the item is registered and has no place among what is shown. */
  isCut: boolean;
  isPublished: boolean;
  /** In 30 days. */
  taps: number;
}

/** `redraw` says whether rows come or go, and `focus` which control has the focus then. */
type UpdateContainer = (edit: (container: any) => any, redraw: boolean, focus?: string) => void;

interface PropertyListMember {
  update: UpdateContainer;
  remove(): void;
  /** Not for elements of an array. */
  rename?(name: string): void;
}

/** By the key of a conflict. */
type Choices = Map<string, "mine" | "theirs">;
/** A conflict as the service reports it. A side that lacks the member is undefined. */
interface Contest {
  key: string;
  /** Null for a member of the menu. */
  item: string | null;
  member: string;
  base?: any;
  mine?: any;
  theirs?: any;
}
type Draft = import("../Files/api/apps.js").Draft;
type Standing = import("../Files/api/apps.js").Standing;
type DraftSession = import("../Files/editor/draft-session.js").DraftSession;
type OpenSessions = import("../Files/editor/draft-session.js").OpenSessions;
type Row = import("../Files/menus/shown.js").Row;

/** What happened to a draft, or to the set below it. */
type Cause = "published" | "saved" | "deleted" | "removed";

/** A change by somebody else, or by the same person in another window. */
interface News {
  cause: Cause | "scheduled";
  /** Null where the service does not say. */
  by: string | null;
  at: string | null;
}

/** What two editors both changed, and what brought it to light. */
interface Conflict extends News {
  contests: Contest[];
}

/** What came of a reconciliation with what somebody else did. */
type Reconciled = "same" | "merged" | "asked" | "contested";

/** What came of a publish. */
type PublishOutcome =
  | { answer: import("../Files/api/client.js").Answer; merged?: undefined }
  | { answer?: undefined; merged: Reconciled };
