import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerProcess } from '../../setup/server.js';
import { freePort } from '../servers/metrics.js';
import { OwnSite } from '../servers/own-site.js';
import { QueueSupervisor } from '../servers/queue-supervisor.js';
import { type GooglePlay, startGooglePlay } from '../stores/google-play/google-play.js';

/** Two servers on one database that submit to a stand-in for Google Play, for tests that kill them. */
export class PlayFleet {
  private constructor(
    readonly play: GooglePlay,
    readonly site: OwnSite,
    private readonly supervisor: QueueSupervisor,
    private readonly secondPort: string,
    private second: ServerProcess,
  ) {}

  /** @param reach how the servers reach their database, when not directly */
  static async start(reach?: (databaseUrl: string) => Promise<string>): Promise<PlayFleet> {
    const play = await startGooglePlay();
    const env = {
      PORT: String(await freePort()),
      GOOGLE_PLAY_URL: play.url,
      GOOGLE_TOKEN_URL: play.tokenUrl,
      QUEUE_POLL_SECONDS: '1',
      RATE_LIMIT_TOKEN: '0',
    };
    const site = await OwnSite.start(env, reach);
    const supervisor = await QueueSupervisor.start(site.databaseUrl);
    const secondPort = String(await freePort());
    return new PlayFleet(
      play,
      site,
      supervisor,
      secondPort,
      await OwnSite.beside(site, { PORT: secondPort }),
    );
  }

  /** Kills a server with SIGKILL. It stays away until `restart`. */
  async kill(number: 0 | 1): Promise<void> {
    await (number === 0 ? this.site.server : this.second).kill();
  }

  async restart(number: 0 | 1): Promise<void> {
    if (number === 0) await this.site.restart();
    else this.second = await OwnSite.beside(this.site, { PORT: this.secondPort });
  }

  /** Kills servers, which are away for a moment. */
  async replace(numbers: readonly (0 | 1)[], milliseconds: number): Promise<void> {
    await Promise.all(numbers.map((number) => this.kill(number)));
    await sleep(milliseconds);
    await Promise.all(numbers.map((number) => this.restart(number)));
  }

  /** What the servers have logged as warnings and errors since their start. */
  get problems(): string[] {
    return [this.site.server, this.second]
      .flatMap(({ log }) => log)
      .filter((line) => /"level":[456]0/.test(line));
  }

  async stop(): Promise<void> {
    await this.supervisor.stop();
    await this.second.kill();
    await this.site.dispose();
    await this.play.stop();
  }
}
