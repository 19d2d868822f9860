import { join } from 'node:path';
import type { BuildProject } from '../build-project.js';
import { type BuildStep, StepError } from '../build-run.js';
import { isObject, type ProjectFolder } from './project-folder.js';

const MAX_BYTES = 1024 * 1024;
const JSON_FILE = 'capacitor.config.json';
/** In the order in which Capacitor looks for them, before the JSON file. */
const PROGRAMS = ['capacitor.config.ts', 'capacitor.config.js'];

const ASK = 'cap config --json';

/** The files that make a project one of Capacitor. */
export const capacitorConfigs = [...PROGRAMS, JSON_FILE];

/** What a configuration of Capacitor says about folders, relative to `baseDir`. */
export interface CapacitorConfig {
  /** The file that says it. */
  readonly file: string;
  /** `null`: it names none. */
  readonly webDir: string | null;
  readonly paths: Readonly<Record<'android' | 'ios', string>>;
}

/**
 * The configuration of Capacitor that is a program: `capacitor.config.ts` or `.js`, which Capacitor prefers to the JSON file.
 *
 * @returns its name; `null`: there is none
 */
export async function findConfigProgram(
  files: ProjectFolder,
  baseDir: string,
  step: BuildStep,
): Promise<string | null> {
  for (const name of PROGRAMS) if ((await files.resolve(step, join(baseDir, name))) !== null) return name;
  return null;
}

/** `capacitor.config.json`. @returns `null`: there is none @throws StepError when it is wrong */
export async function readConfigFile(
  files: ProjectFolder,
  baseDir: string,
  step: BuildStep,
): Promise<CapacitorConfig | null> {
  const json = await files.readJson(step, join(baseDir, JSON_FILE), MAX_BYTES);
  if (json === null) return null;
  return {
    file: JSON_FILE,
    webDir: folderIn(JSON_FILE, 'webDir', json['webDir'], step),
    paths: {
      android: folderIn(JSON_FILE, 'android.path', partOf(json, 'android')['path'], step) ?? 'android',
      ios: folderIn(JSON_FILE, 'ios.path', partOf(json, 'ios')['path'], step) ?? 'ios',
    },
  };
}

/**
 * The configuration of Capacitor. One that is a program is run in the sandbox, by the Capacitor of the project, so its
 * dependencies must be installed.
 *
 * @returns `null`: the project has none
 * @throws StepError when it is wrong, or cannot be read
 */
export async function readCapacitorConfig(
  project: BuildProject,
  step: BuildStep,
): Promise<CapacitorConfig | null> {
  const { files, config, run } = project;
  const file = await findConfigProgram(files, config.baseDir, step);
  if (file === null) return readConfigFile(files, config.baseDir, step);
  if ((await files.resolve(step, join(config.baseDir, JSON_FILE))) !== null) {
    run.log.line(`Capacitor reads ${file}, so ${JSON_FILE} does not count`);
  }
  run.log.line(`Reading ${file}`);
  const answer = new AnswerLine(run.log);
  const onOutput = (chunk: Buffer): void => answer.add(chunk);
  const exitCode = await project.shell('configuration', project.program(ASK), { onOutput });
  const shown = answer.end();
  if (exitCode !== 0 || shown === null) {
    const problem = exitCode === 0 ? 'printed no configuration' : `failed with exit code ${exitCode}`;
    throw new StepError(
      'configuration',
      `${join(config.baseDir, file)} cannot be read: "${ASK}" ${problem}, and the log shows its output.`,
    );
  }
  return {
    file,
    webDir: folderIn(file, 'webDir', partOf(shown, 'app')['webDir'], step),
    paths: {
      android: folderIn(file, 'android.path', partOf(shown, 'android')['platformDir'], step) ?? 'android',
      ios: folderIn(file, 'ios.path', partOf(shown, 'ios')['platformDir'], step) ?? 'ios',
    },
  };
}

/** The line of an output that is a configuration in JSON. The log gets the others. */
class AnswerLine {
  private rest: Buffer = Buffer.alloc(0);
  private found: Record<string, unknown> | null = null;

  constructor(private readonly log: BuildProject['run']['log']) {}

  add(chunk: Buffer): void {
    const bytes = Buffer.concat([this.rest, chunk]);
    const end = bytes.lastIndexOf('\n') + 1;
    this.rest = bytes.subarray(end);
    for (const line of bytes
      .subarray(0, end)
      .toString('latin1')
      .split(/(?<=\n)/)) {
      this.read(Buffer.from(line, 'latin1'));
    }
    // No configuration is so long.
    if (this.rest.length > MAX_BYTES) this.flush();
  }

  /** @returns `null`: there was none */
  end(): Record<string, unknown> | null {
    this.read(this.rest);
    return this.found;
  }

  private read(line: Buffer): void {
    const value = line[0] === 0x7b ? parse(line.toString()) : null;
    if (isObject(value) && isObject(value['app'])) this.found = value;
    else this.log.write(line);
  }

  private flush(): void {
    this.log.write(this.rest);
    this.rest = Buffer.alloc(0);
  }
}

function folderIn(file: string, key: string, value: unknown, step: BuildStep): string | null {
  if (value === undefined || value === null || (value === '' && key === 'webDir')) return null;
  if (typeof value === 'string' && value !== '' && !value.includes('\0')) return value;
  throw new StepError(step, `"${key}" of ${file} must be the path of a folder.`);
}

function partOf(value: Readonly<Record<string, unknown>>, key: string): Record<string, unknown> {
  const part = value[key];
  return isObject(part) ? part : {};
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
