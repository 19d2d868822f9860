/** Characters of a name that a message shows. */
const MAX_SHOWN = 100;
/** Names that a message lists. */
const MAX_LISTED = 10;

/** A name that others chose, for a message of one line. */
export function quoted(name: string): string {
  const visible = name.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');
  return `"${visible.length > MAX_SHOWN ? `${visible.slice(0, MAX_SHOWN)}…` : visible}"`;
}

/** Some such names: `"a", "b" and "c"`. */
export function quotedList(names: readonly string[]): string {
  const shown = names.slice(0, MAX_LISTED).map(quoted);
  const others = names.length - shown.length;
  const parts = others === 0 ? shown : [...shown, `${others} more`];
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
