import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildOptions } from '../../../steps/build-options.js';
import type { BuildRun } from '../../../steps/build-run.js';
import { StepError } from '../../../steps/build-run.js';
import { inStep } from '../../../steps/machine-errors.js';
import { readIdentity, type SigningIdentity } from './identity.js';
import { installProfiles } from './installed-profiles.js';
import { openKeychain } from './keychain/keychain.js';
import { SecurityTool } from './keychain/security-tool.js';
import { jobsIn, makeSigningDir, removeJob, removeJobs } from './leftovers.js';
import { quoted } from './plan/quoted.js';
import type { SigningPlan } from './plan/signing-plan.js';
import { lockSigning } from './signing-lock.js';

/** What a build signs with while `withSigning` runs. */
export interface OpenSigning {
  /** Absolute path of the keychain. */
  readonly keychain: string;
  /** SHA-1 of the certificate, in capital hexadecimal digits. */
  readonly identity: string;
}

/**
 * Does something while the identity of the build is in a separate keychain, and its profiles are installed. One build
 * of a user at a time. Afterwards everything is removed, also after an error: ADR 54.
 *
 * @throws StepError when the identity cannot be used
 * @throws the reason of the signal
 */
export async function withSigning<R>(
  run: Pick<BuildRun, 'payload' | 'log' | 'signal'>,
  options: Pick<BuildOptions, 'signingDir' | 'toolsDir'>,
  plan: SigningPlan,
  work: (open: OpenSigning) => Promise<R>,
  security = new SecurityTool(options),
): Promise<R> {
  const { certificate } = run.payload;
  if (certificate === null) throw new StepError('sign', 'The build has no certificate to sign with.');
  const identity = readIdentity(certificate);
  const signingDir = await inStep('sign', () => makeSigningDir(options.signingDir));
  const unlock = await inStep('sign', () => lockSigning(signingDir, run));
  try {
    logProblems(run, await removeJobs(security, signingDir));
    const folder = join(jobsIn(signingDir), randomUUID());
    try {
      const keychain = await inStep('sign', () =>
        open(run, security, { signingDir, folder, identity, plan }),
      );
      return await work({ keychain, identity: identity.sha1 });
    } finally {
      logProblems(run, await removeJob(security, signingDir, folder));
    }
  } finally {
    await unlock();
  }
}

interface Place {
  readonly signingDir: string;
  readonly folder: string;
  readonly identity: SigningIdentity;
  readonly plan: SigningPlan;
}

/** @returns the path of the keychain */
async function open(
  { log, signal }: Pick<BuildRun, 'log' | 'signal'>,
  security: SecurityTool,
  { signingDir, folder, identity, plan }: Place,
): Promise<string> {
  await mkdir(folder, { mode: 0o700 });
  const keychain = await openKeychain(security, signingDir, folder, identity, signal);
  await installProfiles(
    folder,
    plan.targets.map(({ profile }) => profile),
  );
  signal.throwIfAborted();
  log.line(
    `Signing with the certificate ${quoted(identity.commonName)}, SHA-1 ${identity.sha1}, in a keychain of this build`,
  );
  for (const { target, profile } of plan.targets) {
    log.line(
      `The target ${quoted(target)} has the provisioning profile ${quoted(profile.name)} (${profile.uuid})`,
    );
  }
  return keychain;
}

function logProblems({ log }: Pick<BuildRun, 'log'>, problems: readonly string[]): void {
  for (const problem of problems) log.line(`WARNING: ${problem}`);
}
