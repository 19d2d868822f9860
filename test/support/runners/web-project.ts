import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A web project that builds without a network. */
export interface WebProject {
  /** Prints this many numbered lines while it builds. */
  readonly lines?: number;
  /** Milliseconds between two of them. */
  readonly pause?: number;
  /** What its index.html shows. */
  readonly text?: string;
  /** Further files by path. */
  readonly files?: Readonly<Record<string, string>>;
}

/** The build: prints, then writes `dist`. Plain JavaScript, because the runner starts it. */
const SCRIPT = `
const { mkdirSync, writeFileSync } = require('node:fs');
const { lines, pause, text } = require('./project.json');
(async () => {
  for (let line = 1; line <= lines; line++) {
    console.log('line ' + line + ' of build ' + process.env.CI_BUILD_NUMBER);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  mkdirSync('dist', { recursive: true });
  writeFileSync('dist/index.html', '<!doctype html><title>' + text + '</title>');
  writeFileSync('dist/build.json', JSON.stringify({ number: process.env.CI_BUILD_NUMBER }));
})();
`;

/** The files of a web project, by path. */
export function webProject(appId: string, project: WebProject = {}): Record<string, string> {
  const { lines = 3, pause = 0, text = 'Built', files = {} } = project;
  return {
    'package.json': JSON.stringify({
      name: 'web-project',
      private: true,
      scripts: { build: 'node build.cjs' },
    }),
    'capawesome.config.json': JSON.stringify({
      cloud: { apps: [{ appId, dependencyInstallCommand: 'true' }] },
    }),
    'project.json': JSON.stringify({ lines, pause, text }),
    'build.cjs': SCRIPT,
    ...files,
  };
}

/** Writes a web project into a folder, for the CLI and for git. */
export async function writeWebProject(folder: string, appId: string, project?: WebProject): Promise<void> {
  for (const [path, content] of Object.entries(webProject(appId, project))) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}
