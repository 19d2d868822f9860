import { parseArgs, type ParseArgsOptionDescriptor } from 'node:util';

export interface Option extends ParseArgsOptionDescriptor {
  /** One line of the help. */
  readonly help: string;
  /** What the help calls its value, such as `FILE`; only for options of type `string`. */
  readonly value?: string;
}

type Options = Readonly<Record<string, Option>>;

/** The values of the options, as `parseArgs` of Node.js types them. */
type Values<O extends Options> = ReturnType<typeof parseArgs<{ options: O }>>['values'];

/** A command of `slipway`. */
export interface Command<O extends Options = Options> {
  /** What the help calls the operands, such as `FOLDER|LIST`. Without it the command takes none. */
  readonly operands?: string;
  readonly options: O;
  /** More about it, for the help. */
  readonly details?: string;
  /** @throws UsageError when a value is missing or wrong; any other Error when the command fails */
  run(values: Values<O>, operands: string[]): Promise<void>;
}

/** A command that checks the values of its options by type. */
export function command<const O extends Options>(definition: Command<O>): Command<O> {
  return definition;
}

/** Arguments that the command does not understand. Its message is one sentence. */
export class UsageError extends Error {}

/**
 * Parses the arguments and runs the command.
 *
 * @param args what follows the name of the command
 * @throws UsageError when the arguments are wrong
 */
export async function run({ options, operands, run }: Command, args: string[]): Promise<void> {
  const { values, positionals } = parse(options, operands !== undefined, args);
  await run(values as Values<Options>, positionals);
}

function parse(options: Options, allowPositionals: boolean, args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code?.startsWith('ERR_PARSE_ARGS') ? new UsageError(message) : error;
  }
}

/** One line: how to call the command. @param name such as `storage clean` */
export function usage(name: string, { options, operands }: Command): string {
  const parts = ['Usage: slipway', name, Object.keys(options).length > 0 ? '[options]' : '', operands ?? ''];
  return parts.filter((part) => part !== '').join(' ');
}

/** The help of a command. @param summary its line in the list of commands */
export function helpOf(name: string, summary: string, definition: Command): string {
  const { details, options } = definition;
  const lines = Object.entries(options).map(
    ([option, { value, help, default: fallback }]): [string, string] => [
      `--${option}${value === undefined ? '' : ` ${value}`}`,
      typeof fallback === 'string' ? `${help} (${fallback})` : help,
    ],
  );
  const paragraphs = [
    usage(name, definition),
    summary,
    details,
    table([...lines, ['--help', 'show this help']]),
  ];
  return paragraphs.filter((paragraph) => paragraph !== undefined).join('\n\n');
}

/** Lines of two columns. */
export function table(lines: readonly (readonly [string, string])[]): string {
  const width = Math.max(...lines.map(([left]) => left.length));
  return lines.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}
