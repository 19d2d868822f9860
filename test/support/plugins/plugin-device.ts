import { hash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Files } from '../live-updates/archives.js';
import { temporaryFolder } from '../processes/temporary-folders.js';
import { prepared } from './prepared.js';
import { RunningApp } from './running-app.js';

/** How the app on a device was built. */
export interface PluginDeviceSettings {
  /** Version of the plugin. */
  readonly version: string;
  readonly appId: string;
  /** Further settings of the plugin, as in `capacitor.config.json`. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly versionCode?: number;
  /** The string resource `capawesome_live_update_default_channel`. */
  readonly nativeChannel?: string;
  /** The files that the app was installed with. */
  readonly builtIn?: Files;
}

/** The files of apps, unless a test gives others. */
export const BUILT_IN: Files = { 'index.html': 'built in' };

/**
 * A device that runs the unmodified Java of the plugin. One process is one start of the app. A folder keeps what the app
 * stores.
 */
export class PluginDevice {
  private app: RunningApp | null = null;

  private constructor(
    private settings: PluginDeviceSettings,
    private readonly hostsFile: string,
    private readonly folder: string,
  ) {}

  /**
   * Installs the app and starts it.
   *
   * @param hostsFile the addresses of hosts, in the format of `/etc/hosts`
   */
  static async install(settings: PluginDeviceSettings, hostsFile: string): Promise<PluginDevice> {
    const folder = await temporaryFolder();
    await Promise.all(['files', 'cache', 'preferences'].map((name) => mkdir(join(folder, name))));
    const device = new PluginDevice(settings, hostsFile, folder);
    await device.upgrade({});
    return device;
  }

  get version(): string {
    return this.settings.version;
  }

  /** Installs another binary over the app, and starts it. */
  async upgrade(changes: Partial<PluginDeviceSettings>): Promise<void> {
    await this.stop();
    this.settings = { ...this.settings, ...changes };
    await this.writeAssets();
    await this.start();
  }

  /** Starts the app, which calls `ready()`. */
  async start(): Promise<void> {
    await this.startWith({});
    await this.call('ready');
  }

  /** Starts the app, which never calls `ready()`. @param readyTimeout milliseconds after which the plugin goes back */
  startUnready(readyTimeout: number): Promise<void> {
    return this.startWith({ readyTimeout });
  }

  /** Ends the app. @param signal `SIGKILL`: in the middle of whatever it does */
  async stop(signal?: NodeJS.Signals): Promise<void> {
    await this.app?.end(signal);
    this.app = null;
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Calls a method of the plugin, as the web layer does. @throws Error with the message of a rejection */
  async call<T = unknown>(method: string, options: object = {}): Promise<T> {
    return (await this.running.call(method, options)) as T;
  }

  /** @returns the bundle for the next start; `null`: nothing is new */
  async sync(options: object = {}): Promise<string | null> {
    const { nextBundleId = null } = await this.call<{ nextBundleId?: string | null }>('sync', options);
    return nextBundleId;
  }

  /** Syncs and starts again with what is new. @returns what `sync` has returned */
  async syncAndRestart(options: object = {}): Promise<string | null> {
    const next = await this.sync(options);
    await this.restart();
    return next;
  }

  /** The bundle that it runs; `null`: the files that it was installed with. */
  async bundleId(): Promise<string | null> {
    const { bundleId = null } = await this.call<{ bundleId?: string | null }>('getCurrentBundle');
    return bundleId;
  }

  /** The folder that the web view shows. */
  async shownFolder(): Promise<string> {
    const { folder } = await this.call<{ folder: string }>('$folder');
    return folder === 'public' ? join(this.folder, 'assets/public') : folder;
  }

  /** SHA-256 in hex of all files that the web view shows, by path. */
  async shown(): Promise<Record<string, string>> {
    return hashesOf(await this.shownFolder());
  }

  /** Ids of the bundles that it keeps. */
  kept(): Promise<string[]> {
    return readdir(join(this.folder, 'files/_capacitor_live_update_bundles')).catch(() => []);
  }

  private async startWith(more: object): Promise<void> {
    const { version, appId, config = {}, versionCode = 10, nativeChannel } = this.settings;
    this.app = await RunningApp.start(prepared.classPaths[version] ?? '', this.hostsFile, {
      folder: this.folder,
      versionCode,
      versionName: `1.${versionCode}`,
      nativeChannel,
      config: { appId, serverDomain: 'slipway.test', ...config, ...more },
    });
  }

  private get running(): RunningApp {
    if (this.app === null) throw new Error('The app does not run.');
    return this.app;
  }

  private async writeAssets(): Promise<void> {
    const folder = join(this.folder, 'assets/public');
    await rm(folder, { recursive: true, force: true });
    for (const [href, content] of Object.entries(this.settings.builtIn ?? BUILT_IN)) {
      await mkdir(dirname(join(folder, href)), { recursive: true });
      await writeFile(join(folder, href), content);
    }
  }
}

async function hashesOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const hashes = files.map(
    async (file) => [file.slice(folder.length + 1), hash('sha256', await readFile(file), 'hex')] as const,
  );
  return Object.fromEntries(await Promise.all(hashes));
}
