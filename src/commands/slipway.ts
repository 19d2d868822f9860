import { helpOf, run, table, usage, UsageError } from './command.js';
import { type CommandEntry, commands } from './commands.js';

const HELP = ['--help', '-h'];

/**
 * Runs `slipway <command>`. A failure is one line on standard error and exit code 1; an unknown command or option has
 * exit code 2.
 *
 * @param args the arguments of the process; `start` is the default command
 */
export async function slipway(args: string[]): Promise<void> {
  if (HELP.includes(args[0] ?? '')) {
    console.log(help());
    return;
  }
  const { name, rest } = split(args);
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const isHelp = rest.some((arg) => HELP.includes(arg));
  const group = Object.entries(commands).filter(([command]) => command.startsWith(`${name} `));
  if (entry === undefined && isHelp && group.length > 0) {
    console.log(listOf(`${name} <command>`, group));
    return;
  }
  if (entry === undefined) {
    console.error(`There is no command "${name}": "slipway --help" lists the commands.`);
    process.exitCode = 2;
    return;
  }
  const command = await entry.load();
  if (isHelp) {
    console.log(helpOf(name, entry.summary, command));
    return;
  }
  try {
    await run(command, rest);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    if (error instanceof UsageError) console.error(usage(name, command));
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

/** Takes the longest name of a command, else the first word, off the arguments. */
function split(args: string[]): { name: string; rest: string[] } {
  const [first = 'start', second] = args;
  if (first.startsWith('-')) return { name: 'start', rest: args };
  const both = `${first} ${second}`;
  return Object.hasOwn(commands, both)
    ? { name: both, rest: args.slice(2) }
    : { name: first, rest: args.slice(1) };
}

function help(): string {
  return listOf('[command]', Object.entries(commands));
}

/** @param name what the line of the usage calls the command */
function listOf(name: string, entries: readonly (readonly [string, CommandEntry])[]): string {
  return [
    `Usage: slipway ${name} [options]`,
    table(entries.map(([command, { summary }]) => [command, summary] as const)),
    '"slipway <command> --help" shows the options of a command.',
  ].join('\n\n');
}
