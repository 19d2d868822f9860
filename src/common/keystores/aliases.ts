/** Aliases that a message lists. */
const MAX_LISTED = 10;
/** Characters of each of them. */
const MAX_SHOWN = 60;
const VISIBLE = /^[^\p{C}\p{Zl}\p{Zp}]{1,255}$/u;

/** Whether the alias can be stored, and passed to the tools that sign. */
export function isUsableAlias(alias: string): boolean {
  return VISIBLE.test(alias);
}

/** Aliases for a message, shortened, in the order of the file; they are what the author of the file likes. */
export function listed(aliases: readonly string[]): string {
  const shown = aliases.slice(0, MAX_LISTED).map((alias) => {
    const visible = alias.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');
    return visible.length > MAX_SHOWN ? `${visible.slice(0, MAX_SHOWN)}…` : visible;
  });
  const others = aliases.length - shown.length;
  return others === 0 ? shown.join(', ') : `${shown.join(', ')} and ${others} more`;
}

/** What is wrong with an alias for the tools that sign, behind "it", and what to do; `null`: nothing. */
export function aliasProblem(alias: string): string | null {
  const [first] = /^[-@]/.exec(alias) ?? [];
  if (first === undefined) return null;
  const kind = first === '-' ? 'an option' : 'a file with arguments';
  return `begins with "${first}", which the tools that sign take for ${kind}: rename it with keytool -changealias`;
}
