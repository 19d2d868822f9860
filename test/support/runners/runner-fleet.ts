import { mkdtemp, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processesOf } from '../processes/processes-on.js';
import { RunnerProcess } from './runner-process.js';

/** Starting one costs most of a second of a processor: so many start at once. */
const STARTS_AT_ONCE = 4;
/** Milliseconds that are more than those after which a runner removes a folder without an owner. */
const LONG_AGO = 10 * 60_000;

/** A runner to start. */
interface FleetRunner {
  /** The API. */
  readonly origin: string;
  readonly token: string;
  /** Further environment variables. */
  readonly env?: Readonly<Record<string, string>>;
}

interface Member extends FleetRunner {
  /** `RUNNER_DIR`. The next process of the same runner uses it again. */
  readonly dir: string;
  process: RunnerProcess;
  id: string;
}

/** Real `slipway runner` processes, with one slot each unless their variables say otherwise, in folders of their own. */
export class RunnerFleet {
  private readonly members: Member[] = [];

  private constructor(private readonly root: string) {}

  static async start(runners: readonly FleetRunner[]): Promise<RunnerFleet> {
    const fleet = new RunnerFleet(await mkdtemp(join(tmpdir(), 'slipway-fleet-')));
    const left = [...runners.entries()];
    const starting = Array.from({ length: STARTS_AT_ONCE }, async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const [index, runner] = next;
        const values = { ...runner, dir: join(fleet.root, `runner-${index}`) };
        const process = RunnerProcess.start(values);
        const member = { ...values, process, id: '' };
        fleet.members.push(member);
        member.id = await waits(process);
      }
    });
    try {
      await Promise.all(starting);
      return fleet;
    } catch (error) {
      await fleet.dispose();
      throw error;
    }
  }

  /** Kills a runner with SIGKILL, and starts it again in the same folder. @returns `false`: it is none of these */
  async replace(runnerId: string): Promise<boolean> {
    const member = this.members.find(({ id }) => id === runnerId);
    if (member === undefined) return false;
    await member.process.stop('SIGKILL');
    await this.restart(member);
    return true;
  }

  /** Ends all in an orderly way. @returns their exit codes */
  drain(): Promise<(number | null)[]> {
    return Promise.all(this.members.map(({ process }) => process.stop()));
  }

  /**
   * The folders of jobs that are left after all runners have ended. One that has no owner was killed while it was made or
   * removed: a runner waits for two minutes before it removes such a folder, so this makes them older and starts the runner
   * once more.
   */
  async leftFolders(): Promise<string[]> {
    for (const member of this.members) {
      const ownerless = await ownerlessIn(join(member.dir, 'jobs'));
      if (ownerless.length === 0) continue;
      const past = new Date(Date.now() - LONG_AGO);
      for (const folder of ownerless) await utimes(folder, past, past);
      await this.restart(member);
      await member.process.stop();
    }
    const found = this.members.map(async ({ dir }) =>
      (await namesIn(join(dir, 'jobs'))).map((name) => join(dir, 'jobs', name)),
    );
    return (await Promise.all(found)).flat();
  }

  /** The processes that have something to do with the folders of the runners. */
  processes(): Promise<string[]> {
    return processesOf(this.root);
  }

  /** The memory of all runners together, without their builds, in MiB. */
  async memory(): Promise<number> {
    const sizes = this.members.map(async ({ process }) => {
      const status = await readFile(`/proc/${process.pid}/status`, 'utf8').catch(() => '');
      return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
    });
    return Math.round((await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1024);
  }

  /** Kills all runners and removes their folders. */
  async dispose(): Promise<void> {
    await Promise.all(this.members.map(({ process }) => process.stop('SIGKILL')));
    await rm(this.root, { recursive: true, force: true, maxRetries: 3 });
  }

  private async restart(member: Member): Promise<void> {
    member.process = RunnerProcess.start(member);
    await waits(member.process);
  }
}

/** @returns the id of the runner */
async function waits(process: RunnerProcess): Promise<string> {
  const pattern = /Runner (\S+) waits for jobs/;
  await process.waitFor(pattern, 60_000);
  return pattern.exec(process.output)?.[1] ?? '';
}

async function ownerlessIn(dir: string): Promise<string[]> {
  const folders = (await namesIn(dir)).map((name) => join(dir, name));
  const owned = await Promise.all(
    folders.map((folder) =>
      stat(join(folder, 'owner.json')).then(
        () => true,
        () => false,
      ),
    ),
  );
  return folders.filter((_folder, index) => owned[index] !== true);
}

function namesIn(dir: string): Promise<string[]> {
  return readdir(dir).catch(() => []);
}
