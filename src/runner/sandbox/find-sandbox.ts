import { BubblewrapSandbox } from './bubblewrap/bubblewrap.js';
import { readableFolders } from './bubblewrap/readable-folders.js';
import type { Check } from './check.js';
import { parseAllowedTargets } from './network/allowed-targets.js';
import { NoSandbox } from './none.js';
import { probeSandbox } from './probe.js';
import { requirementChecks } from './requirements.js';
import type { Sandbox } from './sandbox.js';
import { NoSandboxError, type SandboxOptions } from './sandbox-options.js';

export { NoSandboxError, type SandboxOptions } from './sandbox-options.js';

/**
 * The sandbox of this machine, after it was tried.
 *
 * @throws NoSandboxError if it has none, and repositories are not trusted
 * @throws SandboxSettingError if a setting is wrong
 */
export async function findSandbox(options: SandboxOptions): Promise<Sandbox> {
  parseAllowedTargets(options.allow);
  await readableFolders(options.readOnly, []);
  const failures = (await sandboxChecks(options)).filter(({ status }) => status === 'failed');
  if (failures.length === 0) return new BubblewrapSandbox(options);
  if (options.trustRepositories) return new NoSandbox();
  const reasons = failures.map(({ message }) => message).join('\n');
  throw new NoSandboxError(
    `Builds cannot be kept apart on this machine, so the runner does not start:\n${reasons}\nTo build only repositories that you trust, start it with --trust-repositories.`,
  );
}

/** What `slipway runner doctor` says about the sandbox. */
export async function sandboxChecks(options: SandboxOptions): Promise<Check[]> {
  const checks = await requirementChecks();
  if (checks.some(({ status }) => status === 'failed')) return checks;
  checks.push(await probeSandbox(options));
  if (process.getuid?.() === 0) {
    const message =
      'The runner runs as root. Run it as an ordinary user: then the kernel also limits processes, and an error in the kernel gives a build less.';
    checks.push({ name: 'user', status: 'warning', message });
  }
  return checks;
}
