import { command, UsageError } from '../command.js';

/** How long the agent of the pod may take to come, in seconds: its image may have to be pulled first. */
const WAIT_SECONDS = 600;

/** `slipway runner commands`: runs the commands of a build in the second container of a pod. */
export const runnerCommands = command({
  options: {},
  details:
    'For the pods that "slipway runner kubernetes" makes. Reads RUNNER_SOCKET, the path of the socket.',
  run: async () => {
    const socket = process.env['RUNNER_SOCKET'] ?? '';
    if (socket === '') throw new UsageError('RUNNER_SOCKET is required.');
    const { serveCommands } = await import('../../runner/kubernetes/command-server.js');
    await serveCommands(socket, WAIT_SECONDS);
    process.exit(0);
  },
});
