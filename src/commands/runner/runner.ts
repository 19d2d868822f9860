import { Agent } from '../../runner/agent/agent.js';
import { exitCodeOf, runUntilSignal } from '../../runner/agent/run-until-signal.js';
import { withFoundTools } from '../../runner/agent/found-tools.js';
import { readSettings } from '../../runner/agent/settings.js';
import { Terminal } from '../../runner/agent/terminal.js';
import { stopWithParent } from '../../runner/embedded/stop-with-parent.js';
import { command } from '../command.js';
import { runnerOptions } from './runner-options.js';
import { runnerParts } from './runner-parts.js';

/** `slipway runner`: takes jobs and does them. See docs/runners.md. */
export const runner = command({
  options: {
    ...runnerOptions,
    once: { type: 'boolean', default: false, help: 'end after one job' },
    verbose: { type: 'boolean', default: false, help: 'show the logs of builds' },
  },
  details:
    'Reads its token from RUNNER_TOKEN or the file at RUNNER_TOKEN_FILE, and other settings from variables that begin with\n' +
    'RUNNER_: see docs/runners.md. SIGTERM and SIGINT drain it, a second one kills its builds.\n\n' +
    'Exit codes: 0 drained, 1 failed, 2 wrong setting, 3 token refused, 4 token in use, 5 no sandbox, 6 versions do not fit.',
  run: async ({ url, once, verbose, 'trust-repositories': trustRepositories }) => {
    stopWithParent();
    try {
      const settings = await withFoundTools(
        readSettings(process.env, { url, once, verbose, trustRepositories }),
      );
      const terminal = new Terminal();
      // A build that does not stop keeps no runner from its end.
      process.exit(await runUntilSignal(new Agent(settings, runnerParts(settings), terminal), terminal));
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      process.exitCode = exitCodeOf(error);
    }
  },
});
