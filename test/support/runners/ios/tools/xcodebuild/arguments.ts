import { Refused } from '../refused.ts';

/** xcodebuild(1) and `xcodebuild -help`: options with a value. */
const WITH_VALUE = [
  '-project',
  '-workspace',
  '-scheme',
  '-configuration',
  '-destination',
  '-sdk',
  '-archivePath',
  '-exportPath',
  '-exportOptionsPlist',
  '-derivedDataPath',
  '-clonedSourcePackagesDirPath',
];
/** Likewise: options without one. */
const FLAGS = [
  '-version',
  '-checkFirstLaunchStatus',
  '-exportArchive',
  '-skipPackagePluginValidation',
  '-skipMacroValidation',
];
const ACTIONS = ['build', 'archive', 'clean'];

/** What a call asks for. */
export interface Arguments {
  readonly actions: readonly string[];
  readonly settings: ReadonlyMap<string, string>;
  has(flag: string): boolean;
  /** @throws Refused when it is not there */
  value(option: string): string;
  optional(option: string): string | undefined;
}

/** @throws Refused at the first argument that is not documented */
export function parseArguments(args: readonly string[]): Arguments {
  const values = new Map<string, string>();
  const flags = new Set<string>();
  const actions: string[] = [];
  const settings = new Map<string, string>();
  for (let index = 0; index < args.length; index++) {
    const arg = args[index]!;
    const setting = /^([A-Z][A-Z0-9_]*)=([\s\S]*)$/.exec(arg);
    if (WITH_VALUE.includes(arg)) {
      const value = args[++index];
      if (value === undefined) throw new Refused(`xcodebuild: error: option '${arg}' requires a value`, 64);
      if (values.has(arg)) throw new Refused(`xcodebuild: error: option '${arg}' may only be given once`, 64);
      values.set(arg, value);
    } else if (FLAGS.includes(arg)) flags.add(arg);
    else if (arg.startsWith('-')) throw new Refused(`xcodebuild: error: invalid option '${arg}'`, 64);
    else if (setting !== null) settings.set(setting[1]!, setting[2]!);
    else if (ACTIONS.includes(arg)) actions.push(arg);
    else throw new Refused(`xcodebuild: error: Unknown build action '${arg}'.`, 64);
  }
  return {
    actions,
    settings,
    has: (flag) => flags.has(flag),
    optional: (option) => values.get(option),
    value: (option) => {
      const value = values.get(option);
      if (value === undefined) throw new Refused(`xcodebuild: error: The option ${option} is required.`, 64);
      return value;
    },
  };
}
