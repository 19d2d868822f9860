import { appendFileSync, readFileSync } from 'node:fs';
import { TestEnvironment } from 'jest-environment-node';

/** What a spec file took, in milliseconds. */
export interface Profile {
  readonly file: string;
  /** From its first line to its last. */
  readonly wall: number;
  /** Starting servers of its own. */
  readonly starts: number;
  /** The processor, in the process of jest. */
  readonly jest: number;
  /** The processor, in programs that the file started and waited for: its own servers, commands, the CLI. */
  readonly programs: number;
}

declare global {
  /** Adds the time that a server of a spec file took to start. */
  var addServerStart: ((milliseconds: number) => void) | undefined;
}

/** Clock ticks of Linux are hundredths of a second. */
const TICK = 10;

/** With `TEST_PROFILE=<file>`, appends what each spec file took, as a line of JSON: see docs/testing.md. */
export default class ProfiledEnvironment extends TestEnvironment {
  private readonly startedAt = performance.now();
  private readonly cpu = process.cpuUsage();
  private readonly childTicks = endedChildTicks();
  private readonly file: string;
  private starts = 0;

  constructor(...args: ConstructorParameters<typeof TestEnvironment>) {
    super(...args);
    this.file = args[1].testPath;
  }

  override async setup(): Promise<void> {
    await super.setup();
    this.global.addServerStart = (milliseconds: number) => {
      this.starts += milliseconds;
    };
  }

  override async teardown(): Promise<void> {
    const target = process.env['TEST_PROFILE'];
    if (target !== undefined) {
      const { user, system } = process.cpuUsage(this.cpu);
      const profile: Profile = {
        file: this.file,
        wall: performance.now() - this.startedAt,
        starts: this.starts,
        jest: (user + system) / 1000,
        programs: (endedChildTicks() - this.childTicks) * TICK,
      };
      appendFileSync(target, `${JSON.stringify(profile)}\n`);
    }
    await super.teardown();
  }
}

/** Processor time of all children of this process that have ended; 0 where there is no `/proc`. */
function endedChildTicks(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return Number(fields[13]) + Number(fields[14]);
  } catch {
    return 0;
  }
}
