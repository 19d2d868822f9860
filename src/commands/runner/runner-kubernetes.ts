import { command } from '../command.js';

/** `slipway runner kubernetes`: makes a pod of each job. See docs/runners.md. */
export const runnerKubernetes = command({
  options: {
    url: { type: 'string', value: 'URL', help: 'the address of the API (SLIPWAY_URL)' },
  },
  details:
    'Needs RUNNER_TOKEN or RUNNER_TOKEN_FILE, RUNNER_POD_IMAGE, and a service account that may create Jobs and Secrets.\n' +
    'docs/runners.md lists the other variables.',
  run: async ({ url }) => {
    const { runManager } = await import('../../runner/kubernetes/run-manager.js');
    await runManager(process.env, { url });
    process.exit(0);
  },
});
