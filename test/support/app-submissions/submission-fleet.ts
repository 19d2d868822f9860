import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerProcess } from '../../setup/server.js';
import { freePort } from '../../setup/free-port.js';
import { OwnSite } from '../servers/own-site.js';
import { QueueSupervisor } from '../servers/queue-supervisor.js';

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
    const supervisor = await QueueSupervisor.start(site.databaseUrl);
    const secondPort = String(await freePort());
    const second = await OwnSite.beside(site, { PORT: secondPort });
    return new SubmissionFleet(site, supervisor, secondPort, second);
  }

  /** Kills a server with SIGKILL. It stays away until `restart`. */
  async kill(number: 0 | 1): Promise<void> {
    await (number === 0 ? this.site.server : this.second).kill();
  }

  async restart(number: 0 | 1): Promise<void> {
    if (number === 0) await this.site.restart();
    else this.second = await OwnSite.beside(this.site, { PORT: this.secondPort });
  }

  /** Starts the servers that a failed test has left killed. */
  async resume(): Promise<void> {
    await this.site.resume();
    if (!this.second.isRunning) await this.restart(1);
  }

  /** Kills servers, which are away for a moment. */
  async replace(numbers: readonly (0 | 1)[], milliseconds: number): Promise<void> {
    await Promise.all(numbers.map((number) => this.kill(number)));
    await sleep(milliseconds);
    await Promise.all(numbers.map((number) => this.restart(number)));
  }

  async stop(): Promise<void> {
    await this.supervisor.stop();
    await this.second.kill();
    await this.site.dispose();
  }
}
