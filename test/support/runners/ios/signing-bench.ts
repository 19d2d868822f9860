import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { PayloadProfileDto } from '../../../../src/native-builds/runner-builds/build-payload.dto.js';
import { type AppleIdentity, makeAppleIdentity, makeP12 } from '../../native-builds/apple/identity.js';
import { makeProfile } from '../../native-builds/apple/profile.js';
import { NODE_COMPILE_CACHE } from '../../../setup/node-options.js';
import { temporaryFolder } from '../../processes/temporary-folders.js';
import { installSecurity } from './security/install-security.js';
import { makeMacHome } from './security/keychain-files.js';
import type { SigningTask } from './signing-process.js';

const PROGRAM = join(import.meta.dirname, 'signing-process.ts');
/** Of the certificate as the user uploaded it. */
export const P12_PASSWORD = 'password of the user 4711';
/** Where Xcode reads profiles, in a home. */
export const PROFILE_FOLDERS = [
  'Library/Developer/Xcode/UserData/Provisioning Profiles',
  'Library/MobileDevice/Provisioning Profiles',
] as const;

/** A home of a user on a stand-in of a Mac, in which processes sign. */
export class SigningBench {
  readonly identity: AppleIdentity = makeAppleIdentity();
  readonly profile: PayloadProfileDto;
  /** The keychains that the user searches, besides the login keychain. */
  readonly ownKeychain: string;

  private constructor(readonly home: string) {
    this.ownKeychain = join(home, 'Library/Keychains/with "quotes" and spaces.keychain-db');
    const uuid = randomUUID();
    const bytes = makeProfile({ uuid, certificates: [this.identity.certificate.raw] });
    this.profile = {
      uuid,
      name: 'Shop ad hoc',
      type: 'ad-hoc',
      teamId: this.identity.teamId,
      bundleId: 'com.example.shop',
      expiresAt: '2099-01-01T00:00:00Z',
      certificateFingerprints: [this.identity.sha256Fingerprint],
      file: bytes.toString('base64'),
    };
  }

  static async make(): Promise<SigningBench> {
    const home = join(await temporaryFolder(), 'home of the user');
    mkdirSync(home);
    const bench = new SigningBench(home);
    installSecurity(bench.toolsDir);
    makeMacHome(home, [bench.ownKeychain]);
    return bench;
  }

  get toolsDir(): string {
    return join(this.home, 'tools');
  }

  get signingDir(): string {
    return join(this.home, '.slipway-signing');
  }

  /** The paths at which the profile is installed. */
  get profilePaths(): string[] {
    return PROFILE_FOLDERS.map((folder) => join(this.home, folder, `${this.profile.uuid}.mobileprovision`));
  }

  /** Starts a process. Everything has a default. */
  start(values: Partial<SigningTask> = {}): SigningProcess {
    const task: SigningTask = {
      action: 'sign',
      signingDir: this.signingDir,
      toolsDir: this.toolsDir,
      certificate: {
        type: 'production',
        fileName: 'key.p12',
        file: makeP12(this.identity, P12_PASSWORD, { form: 'modern' }).toString('base64'),
        password: P12_PASSWORD,
        keyAlias: null,
        keyPassword: null,
        profiles: [this.profile],
      },
      plan: {
        teamId: this.identity.teamId,
        type: 'ad-hoc',
        targets: [{ target: 'App', bundleId: 'com.example.shop', profile: this.profile }],
      },
      holds: false,
      builds: 1,
      killAt: null,
      hangs: null,
      ...values,
    };
    return new SigningProcess(task, this.home);
  }

  /** Files of the home whose content is a key, or whose name is one of this application. */
  leftovers(): string[] {
    return filesIn(this.home).filter(
      (path) =>
        path.endsWith('.p12') ||
        path.includes('/jobs/') ||
        /\.(kept|new)$/.test(path) ||
        path.includes('.slipway-signing/lock'),
    );
  }
}

/** A process that signs. */
export class SigningProcess {
  output = '';
  private readonly child: ChildProcess;
  private readonly closed: Promise<unknown>;
  private isClosed = false;

  constructor(task: SigningTask, home: string) {
    this.child = spawn(process.execPath, [PROGRAM, JSON.stringify(task)], {
      env: { HOME: home, PATH: '/usr/bin:/bin', NODE_COMPILE_CACHE },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout!, this.child.stderr!]) {
      stream.on('data', (chunk: Buffer) => void (this.output += chunk.toString()));
    }
    this.closed = once(this.child, 'close').then(() => (this.isClosed = true));
  }

  /** Waits until the output has a text. */
  async until(text: string): Promise<void> {
    while (!this.output.includes(text)) {
      if (this.isClosed) throw new Error(`It ended without "${text}":\n${this.output}`);
      await Promise.race([once(this.child.stdout!, 'data'), this.closed]);
    }
  }

  /** Ends the work of one that holds. */
  finish(): void {
    this.child.stdin!.end();
  }

  kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    this.child.kill(signal);
  }

  /** Waits for the end. @returns what became of it; `null`: it was killed */
  async end(): Promise<{ readonly value?: unknown; readonly error?: string } | null> {
    await this.closed;
    if (this.child.signalCode === 'SIGKILL') return null;
    try {
      return JSON.parse(this.output.trimEnd().split('\n').at(-1)!) as { value?: unknown; error?: string };
    } catch {
      throw new Error(`It did not work:\n${this.output}`);
    }
  }
}

function filesIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesIn(path) : [path];
  });
}
