// A value of a document as its author would write it: expressions bare, everything else as JSON.
export function asWritten(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
