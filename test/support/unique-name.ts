let count = 0;

/** A name that no other test uses. */
export function uniqueName(prefix: string): string {
  return `${prefix}-${++count}-${Math.random().toString(36).slice(2, 8)}`;
}
