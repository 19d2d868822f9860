import { MAX_OPEN_FILES } from '../sandbox/limits/open-files.js';
import type { SandboxLimit } from '../sandbox/sandbox.js';

const MESSAGES: Readonly<Record<SandboxLimit, string>> = {
  memory: 'The build needs more memory than this runner allows (RUNNER_MEMORY).',
  processes: 'The build starts more processes than this runner allows (RUNNER_PROCESSES).',
  'open-files': `The build has more than ${MAX_OPEN_FILES.toLocaleString('en')} files open at the same time.`,
  hidden: 'A process of the build hides from the runner which files it has open.',
  stopped: 'The build stopped the first process of its sandbox.',
  'all-stopped': 'The build stopped all of its processes (SIGSTOP), and none is left to continue them.',
  disk: 'The build needs more disk space than this runner allows (RUNNER_DISK).',
};

/** What the person who started the build reads when a limit has ended it. */
export function limitMessage(limit: SandboxLimit): string {
  return MESSAGES[limit];
}
