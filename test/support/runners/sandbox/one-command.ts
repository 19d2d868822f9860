import { BubblewrapSandbox } from '../../../../src/runner/sandbox/bubblewrap/bubblewrap.js';
import type { SandboxOptions } from '../../../../src/runner/sandbox/sandbox-options.js';

// A runner of one command, as a program of its own that a test can kill or start as another user. Prints what the command
// prints, and how it ended. Its argument is this, as JSON:
export interface OneCommand {
  /** The folder of the job, with `repo`, `home` and `cache`. */
  readonly root: string;
  readonly script: string;
  readonly options: SandboxOptions;
}

const { root, script, options } = JSON.parse(process.argv[2] ?? '') as OneCommand;
const [repo, home, cache, artifacts] = ['repo', 'home', 'cache', 'artifacts'].map(
  (name) => `${root}/${name}`,
);
const folders = { root, repo: repo!, home: home!, cache: cache!, artifacts: artifacts! };
const job = await new BubblewrapSandbox(options).open(folders);
const end = await job.run({
  command: ['/bin/sh', '-c', script],
  cwd: '',
  env: {},
  network: 'build',
  onOutput: (chunk) => process.stdout.write(chunk),
  signal: AbortSignal.timeout(60_000),
});
process.stdout.write(`${JSON.stringify(end)}\n`);
