/** Characters of ids: Apple's are digits, UUIDs and the like. They become parts of paths. */
export function isAppleId(id: string): boolean {
  return /^[\w-][\w.~=+-]{0,199}$/.test(id);
}
