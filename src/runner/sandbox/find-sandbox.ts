import { BubblewrapSandbox } from './bubblewrap/bubblewrap.js';
import { readableFolders } from './bubblewrap/readable-folders.js';
import type { Check } from './check.js';
import { parseAllowedTargets } from './network/allowed-targets.js';
import { ControlGroups, machineGroups } from './control-groups/control-groups.js';
import { findOwnGroup, type OwnGroup } from './control-groups/own-group.js';
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
  if (failures.length === 0) {
    const groups = await ControlGroups.enter(machineGroups());
    return new BubblewrapSandbox(options, 'reason' in groups ? null : groups);
  }
  if (options.trustRepositories) return new NoSandbox(options);
  const reasons = failures.map(({ message }) => message).join('\n');
  throw new NoSandboxError(
    `Builds cannot be kept apart on this machine, so the runner does not start:\n${reasons}\nTo build only repositories that you trust, start it with --trust-repositories.`,
  );
}

/** What `slipway runner doctor` says about the sandbox. */
export async function sandboxChecks(options: SandboxOptions): Promise<Check[]> {
  const checks = await requirementChecks();
  if (checks.some(({ status }) => status === 'failed')) return checks;
  checks.push(await probeSandbox(options), limitsCheck(await findOwnGroup(machineGroups())));
  if (process.getuid?.() === 0) {
    const message =
      'The runner runs as root. Run it as an ordinary user: then the kernel also limits processes, and an error in the kernel gives a build less.';
    checks.push({ name: 'user', status: 'warning', message });
  }
  return checks;
}

/** Which limits this machine has for builds. @param group of the runner */
export function limitsCheck(group: OwnGroup): Check {
  const name = 'limits';
  if ('path' in group) {
    const message = `The kernel keeps the limits of memory and processes: each build gets a control group in ${group.path}. The runner watches the disk.`;
    return { name, status: 'ok', message };
  }
  const message = `The runner watches the limits of builds, which can exceed them for a moment: ${group.reason}. The kernel keeps them for a runner of systemd with Delegate=yes.`;
  return { name, status: 'warning', message };
}
