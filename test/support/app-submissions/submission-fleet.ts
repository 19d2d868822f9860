import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerProcess } from '../../setup/server.js';
import { freePort } from '../../setup/free-port.js';
import { OwnSite } from '../servers/own-site.js';
import { QueueSupervisor } from '../servers/queue-supervisor.js';
import type { Hold } from '../stores/stand-in/faults.js';

/** Two servers on one database that submit to a stand-in for a store, for tests that kill them. */
export class SubmissionFleet {
  private constructor(
    readonly site: OwnSite,
    private readonly supervisor: QueueSupervisor,
    private readonly secondPort: string,
    private second: ServerProcess,
  ) {}

  /**
   * @param stores environment variables that say where the store is
   * @param reach how the servers reach their database, when not directly
   */
  static async start(
    stores: Readonly<Record<string, string>>,
    reach?: (databaseUrl: string) => Promise<string>,
  ): Promise<SubmissionFleet> {
    const env = {
      PORT: String(await freePort()),
      QUEUE_POLL_SECONDS: '1',
      RATE_LIMIT_TOKEN: '0',
      ...stores,
    };
    const site = await OwnSite.start(env, reach);
    const secondPort = String(await freePort());
    const [supervisor, second] = await Promise.all([
      QueueSupervisor.start(site.databaseUrl),
      OwnSite.beside(site, { PORT: secondPort }),
    ]);
    return new SubmissionFleet(site, supervisor, secondPort, second);
  }

  /** Kills both servers with SIGKILL. What they were doing is due again at once, as if its heartbeats had ended. */
  async killAll(): Promise<void> {
    await this.second.kill();
    await this.site.kill();
    await this.supervisor.expireHeartbeats();
  }

  /** Both servers have lost the database for longer than their heartbeats may be away. */
  expireHeartbeats(): Promise<void> {
    return this.supervisor.expireHeartbeats();
  }

  /** Kills a server with SIGKILL, which the other one finds out after ten seconds. It stays away until `restart`. */
  async kill(number: 0 | 1): Promise<void> {
    await (number === 0 ? this.site.server : this.second).kill();
  }

  async restart(number: 0 | 1): Promise<void> {
    if (number === 0) await this.site.restart();
    else this.second = await OwnSite.beside(this.site, { PORT: this.secondPort });
  }

  /** Starts the servers that were killed. */
  async resume(): Promise<void> {
    await Promise.all([this.site.resume(), ...(this.second.isRunning ? [] : [this.restart(1)])]);
  }

  /** Kills one server or both, which are away for a moment. @returns how many */
  async replace(random: () => number): Promise<number> {
    const isBoth = random() < 0.2;
    await (isBoth ? this.killAll() : this.kill(random() < 0.5 ? 0 : 1));
    await sleep(random() * 1500);
    await this.resume();
    return isBoth ? 2 : 1;
  }

  /** Kills both servers in the middle of calls. The first one starts again; one start costs seconds of a processor. */
  async replaceIn(holds: readonly Hold[]): Promise<void> {
    await Promise.all(holds.map(({ arrived }) => arrived));
    await this.killAll();
    // The stand-in sees the end of their connections.
    await sleep(100);
    for (const { release } of holds) release();
    await this.restart(0);
  }

  async stop(): Promise<void> {
    await this.supervisor.stop();
    await this.second.kill();
    await this.site.dispose();
  }
}
