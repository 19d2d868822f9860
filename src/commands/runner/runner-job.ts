import { command } from '../command.js';

/** `slipway runner job`: does one job in a pod. */
export const runnerJob = command({
  options: {},
  details:
    'For the pods that "slipway runner kubernetes" makes. Reads the claim of the job from standard input.',
  run: async () => {
    const { runPodJob } = await import('../../runner/kubernetes/run-pod-job.js');
    const { status } = await runPodJob(process.env);
    // Also after a failed build: the API has its status. A job that was lost is one for `kubectl` to show.
    process.exit(status === 'lost' ? 1 : 0);
  },
});
