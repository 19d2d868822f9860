/** The call is one that the manual does not describe, or that would wait for a person. */
export class RefusedCall extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 2) {
    super(message);
    this.exitCode = exitCode;
  }
}

export interface ParsedOptions {
  /** Whether an option without a value is there. */
  has(option: string): boolean;
  /** The only value. */
  value(option: string): string | undefined;
  values(option: string): readonly string[];
  readonly rest: readonly string[];
}

/**
 * Reads arguments as getopt(3) of macOS does: options come first, and the first other argument ends them.
 *
 * @param allowed as for getopt: a letter, and `:` after those that have a value
 */
export function parseOptions(args: readonly string[], allowed: string): ParsedOptions {
  const found: [string, string | null][] = [];
  let position = 0;
  while (position < args.length && /^-[^-]/.test(args[position]!)) {
    const letters = args[position++]!.slice(1);
    for (let index = 0; index < letters.length; index++) {
      const letter = letters[index]!;
      const place = letter === ':' ? -1 : allowed.indexOf(letter);
      if (place === -1) throw new RefusedCall(`security: illegal option -- ${letter}`);
      if (allowed[place + 1] !== ':') {
        found.push([letter, null]);
        continue;
      }
      const value = letters.slice(index + 1) || args[position++];
      if (value === undefined) throw new RefusedCall(`security: option requires an argument -- ${letter}`);
      found.push([letter, value]);
      break;
    }
  }
  const values = (option: string): string[] =>
    found.flatMap(([letter, value]) => (letter === option && value !== null ? [value] : []));
  return {
    has: (option) => found.some(([letter]) => letter === option),
    values,
    value: (option) => {
      const all = values(option);
      if (all.length > 1) throw new RefusedCall(`The option -${option} is there ${all.length} times.`);
      return all[0];
    },
    rest: args.slice(position),
  };
}
