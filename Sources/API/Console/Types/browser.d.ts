// What browsers have and TypeScript 4.8, the release that distributions have, does not declare.

interface Array<T> {
  findLast(predicate: (value: T, index: number, array: T[]) => unknown): T | undefined;
  findLastIndex(predicate: (value: T, index: number, array: T[]) => unknown): number;
  with(index: number, value: T): T[];
  toSpliced(start: number, deleteCount: number, ...items: T[]): T[];
}

interface JSON {
  /** `source` is the text that a number was read from; browsers that do not know it give no context. */
  parse(text: string, reviver: (name: string, value: any, context?: { source: string }) => unknown): any;
}

interface HTMLElementTagNameMap {
  search: HTMLElement;
}
