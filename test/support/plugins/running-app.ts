import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { prepared } from './prepared.js';

/** A start is short: the compiler of hot code and parallel collection of garbage do not pay. */
const JVM_OPTIONS = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xmx192m'];

/** How long the plugin may take for a call, or for its start. */
const TIMEOUT_MS = 40_000;

/** One process: one start of an app with the plugin. See `test/plugins/java/slipway/App.java`. */
export class RunningApp {
  private readonly waiting = new Map<string, (line: AppLine) => void>();
  private readonly exited: Promise<unknown>;
  private errors = '';
  private calls = 0;

  private constructor(private readonly process: ChildProcessWithoutNullStreams) {
    this.exited = once(process, 'exit');
    process.stderr.on('data', (chunk: Buffer) => (this.errors += chunk.toString()));
    // A call of an app that was killed ends with its time-out.
    process.stdin.on('error', () => {});
    createInterface(process.stdout).on('line', (text) => {
      const line = JSON.parse(text) as AppLine;
      this.waiting.get(keyOf(line))?.(line);
    });
  }

  /**
   * @param classPath with the plugin
   * @param hostsFile the addresses of hosts, in the format of `/etc/hosts`
   * @param settings see `Phone.settings`
   */
  static async start(classPath: string, hostsFile: string, settings: object): Promise<RunningApp> {
    const properties = {
      'jdk.net.hosts.file': hostsFile,
      'javax.net.ssl.trustStore': prepared.trustStore,
      'javax.net.ssl.trustStorePassword': prepared.password,
      'file.encoding': 'UTF-8',
      'sun.jnu.encoding': 'UTF-8',
    };
    const options = Object.entries(properties).map(([name, value]) => `-D${name}=${value}`);
    const child = spawn('java', [...JVM_OPTIONS, ...options, '-cp', classPath, 'slipway.App'], {
      // Names of files may have any letter.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    });
    const app = new RunningApp(child);
    const started = app.event('started');
    child.stdin.write(`${JSON.stringify(settings)}\n`);
    await started;
    return app;
  }

  /** Calls a method of the plugin. @throws Error with the message of the rejection */
  async call(method: string, options: object): Promise<unknown> {
    const id = String(++this.calls);
    const answer = this.line(`id ${id}`, `${method} returns`);
    this.process.stdin.write(`${JSON.stringify({ id, method, options })}\n`);
    const { result, error } = await answer;
    if (error !== undefined) throw new Error(error.message);
    return result ?? {};
  }

  /** Waits for the next event of a name. */
  async event(name: string): Promise<unknown> {
    return (await this.line(`event ${name}`, `the event ${name}`)).data;
  }

  /** Ends the process. @param signal none: its input ends */
  async end(signal?: NodeJS.Signals): Promise<void> {
    if (signal === undefined) this.process.stdin.end();
    else this.process.kill(signal);
    await this.exited;
  }

  private line(key: string, what: string): Promise<AppLine> {
    return new Promise((resolve, reject) => {
      const fail = (why: string) =>
        reject(new Error(`Waiting until ${what}: ${why}\n${this.errors.slice(-4000)}`));
      const timer = setTimeout(() => fail('nothing came.'), TIMEOUT_MS);
      void this.exited.then(() => fail('the app ended.'));
      this.waiting.set(key, (line) => {
        clearTimeout(timer);
        this.waiting.delete(key);
        resolve(line);
      });
    });
  }
}

/** What the app prints. */
interface AppLine {
  readonly id?: string;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
  readonly event?: string;
  readonly data?: unknown;
}

function keyOf({ id, event }: AppLine): string {
  return id === undefined ? `event ${event}` : `id ${id}`;
}
