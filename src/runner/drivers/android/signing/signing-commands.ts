import type { PayloadCertificateDto } from '../../../../native-builds/runner-builds/build-payload.dto.js';
import type { SigningSandbox } from '../../../sandbox/signing-sandbox.js';
import { type BuildLog, StepError } from '../../../steps/build-run.js';
import { limitMessage } from '../../../steps/limit-message.js';
import type { Jdk } from '../../../steps/tools/jdks.js';

/** How long signing one package may take, in milliseconds. */
const DEADLINE = 10 * 60_000;
/** What is kept of the output of a program, in bytes. */
const MAX_OUTPUT = 4 * 1024 ** 2;
/** What the log shows of a program that failed, in characters. */
const SHOWN = 4000;
/** Largest heap of a program, in MiB. */
const MAX_HEAP_MIB = 1024;

/** Variables with the passwords: arguments are in the list of processes. */
export const STORE_PASSWORD = 'SIGNING_STORE_PASSWORD';
export const KEY_PASSWORD = 'SIGNING_KEY_PASSWORD';
const KEYSTORE = 'keystore';

/** How a program ended, and what it printed. */
export interface SigningEnd {
  readonly exitCode: number;
  readonly output: string;
}

/** Runs the programs that sign one package, with the key where they need it, within a deadline for all of them. */
export class SigningCommands {
  private readonly deadline = AbortSignal.timeout(DEADLINE);

  /** @param signal ends the job */
  constructor(
    private readonly sandbox: SigningSandbox,
    private readonly certificate: PayloadCertificateDto,
    private readonly jdk: Jdk,
    private readonly log: BuildLog,
    private readonly signal: AbortSignal,
  ) {}

  /** The folder of the package, as the runner sees it. */
  get folder(): string {
    return this.sandbox.folder;
  }

  /** The keystore, as programs see it. */
  get keystore(): string {
    return `${this.sandbox.inner.keys}/${KEYSTORE}`;
  }

  /** Whether the password of the keystore has printable characters of ASCII only. */
  get hasPlainPassword(): boolean {
    return /^[\x20-\x7e]*$/.test(this.certificate.password ?? '');
  }

  /** Options for the Java of a program. `-J…` passes them on; apksigner leaves out the dash. */
  get javaOptions(): readonly string[] {
    const heap = Math.floor(Math.min(MAX_HEAP_MIB, this.sandbox.memoryMiB / 2));
    return [`Xmx${heap}m`, 'Duser.language=en', 'XX:-UsePerfData'];
  }

  /**
   * Runs a program without the key.
   *
   * @throws StepError when it took too long or reached a limit
   * @throws the reason of the signal of the job
   */
  run(command: readonly [string, ...string[]]): Promise<SigningEnd> {
    return this.execute(command, {}, {});
  }

  /** Runs a program that gets the keystore and the passwords. As `run`. */
  runWithKey(command: readonly [string, ...string[]]): Promise<SigningEnd> {
    const { file, password, keyPassword } = this.certificate;
    const store = password ?? '';
    const passwords = { [STORE_PASSWORD]: store, [KEY_PASSWORD]: keyPassword ?? store };
    return this.execute(command, passwords, { [KEYSTORE]: Buffer.from(file, 'base64') });
  }

  /**
   * Shows the end of what a program printed.
   *
   * @returns the error of the step
   */
  failed(message: string, { output }: SigningEnd): StepError {
    const text = output.trim().slice(-SHOWN);
    if (text !== '') this.log.write(Buffer.from(`${text}\n`));
    return new StepError('sign', message);
  }

  private async execute(
    command: readonly [string, ...string[]],
    passwords: Readonly<Record<string, string>>,
    keys: Readonly<Record<string, Uint8Array>>,
  ): Promise<SigningEnd> {
    const chunks: Buffer[] = [];
    let length = 0;
    const { home } = this.jdk;
    const running = this.sandbox.run({
      command,
      env: { PATH: `${home}/bin:/usr/local/bin:/usr/bin:/bin`, JAVA_HOME: home, ...passwords },
      keys,
      onOutput: (chunk) => {
        if (length < MAX_OUTPUT) chunks.push(chunk);
        length += chunk.length;
      },
      signal: AbortSignal.any([this.signal, this.deadline]),
    });
    const { exitCode, limit } = await running.catch((error: unknown) => {
      if (this.signal.aborted || !this.deadline.aborted) throw error;
      throw new StepError('sign', `Signing took longer than ${DEADLINE / 60_000} minutes.`);
    });
    if (limit !== null) throw new StepError('sign', limitMessage(limit));
    return { exitCode, output: Buffer.concat(chunks).toString() };
  }
}
