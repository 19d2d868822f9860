import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

/** Update checks of Android devices, as they are sent; or one request, again and again. */
export interface Load {
  /** Servers that the connections are spread over. */
  readonly origins: readonly string[];
  /** Seeded app whose ids the devices and the other apps have. */
  readonly appId: string;
  /** Apps that the checks are for, in turns: the seeded ones from the first on, or ids that no app has. */
  readonly apps: number | 'unknown';
  /** Distinct devices that ask in turns, at least 1. */
  readonly devices: number;
  /** Number of the first one: 1 is the first that was seeded. */
  readonly firstDevice?: number;
  /** Numbers of the devices, instead of the first one and those behind it. */
  readonly deviceNumbers?: readonly number[];
  readonly channelName?: string;
  /** The bundle that all devices run. */
  readonly bundleId?: string;
  /** Whether each device has a custom id. */
  readonly customIds?: boolean;
  /** Whether the devices have no ids, so that none is recorded. */
  readonly anonymous?: boolean;
  /** Headers besides those of the plugin, such as those of a proxy. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A request as it goes over the wire, which is sent instead of update checks. */
  readonly request?: string;
  readonly connections: number;
  /** Requests per second, sent when they are due, whatever is answered; otherwise the next follows each answer. */
  readonly rate?: number;
  /** Ends after so many seconds, or so many requests, whichever comes first. */
  readonly seconds: number;
  readonly requests?: number;
}

/** What came of it. */
export interface LoadResult {
  readonly answers: number;
  readonly perSecond: number;
  /** Answers by status; `error` for connections that were lost over a request. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Milliseconds; of a paced load from when the request was due. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly seconds: number;
  /** Share of its core that the generator used, 0 to 1: near 1 it is what limits. */
  readonly busy: number;
}

/** A process that sends loads, one after the other. */
export class LoadGenerator {
  private readonly process: ChildProcess;

  /** @param under what the process is started with, such as `onCore(1)` */
  constructor(under: readonly string[]) {
    const [command = process.execPath, ...args] = [
      ...under,
      process.execPath,
      join(import.meta.dirname, 'generator.ts'),
    ];
    this.process = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  }

  /** @throws Error when the process ends */
  run(load: Load): Promise<LoadResult> {
    return new Promise((resolve, reject) => {
      const onExit = (): void => reject(new Error('The load generator has ended.'));
      this.process.once('exit', onExit);
      this.process.once('message', (result) => {
        this.process.off('exit', onExit);
        resolve(result as LoadResult);
      });
      this.process.send(load);
    });
  }

  stop(): void {
    this.process.kill();
  }
}
