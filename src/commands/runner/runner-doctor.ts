import { agentChecks, renderChecks } from '../../runner/agent/doctor.js';
import { exitCodeOf } from '../../runner/agent/run-until-signal.js';
import { withFoundTools } from '../../runner/agent/found-tools.js';
import { readSettings } from '../../runner/agent/settings.js';
import { keychainCheck } from '../../runner/drivers/ios/signing/keychain-check.js';
import { sandboxChecks } from '../../runner/sandbox/find-sandbox.js';
import { androidChecks } from '../../runner/steps/tools/android-checks.js';
import { iosChecks } from '../../runner/steps/tools/ios-checks.js';
import { toolChecks } from '../../runner/steps/tools/tool-checks.js';
import { command } from '../command.js';
import { runnerOptions } from './runner-options.js';
import { buildOptionsOf, sandboxOptionsOf } from './runner-parts.js';

/** `slipway runner doctor`: checks the machine, the settings and the API. See docs/runners.md. */
export const runnerDoctor = command({
  options: runnerOptions,
  details:
    'Uses the settings of "slipway runner". It disturbs no runner. The exit code is 1 if a check has failed.',
  run: async ({ url, 'trust-repositories': trustRepositories }) => {
    try {
      const settings = await withFoundTools(readSettings(process.env, { url, trustRepositories }));
      const options = buildOptionsOf(settings);
      const checks = [
        ...(await agentChecks(settings)),
        ...(await sandboxChecks(sandboxOptionsOf(settings))),
        ...(await toolChecks(options)),
        ...(await androidChecks(options, settings.platforms.includes('android'))),
        ...(await iosChecks(options, settings.platforms.includes('ios'), () =>
          keychainCheck(options.signingDir, options),
        )),
      ];
      for (const line of renderChecks(checks)) console.log(line);
      if (checks.some(({ status }) => status === 'failed')) process.exitCode = 1;
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      process.exitCode = exitCodeOf(error);
    }
  },
});
