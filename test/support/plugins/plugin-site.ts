import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createApp, type TestApp } from '../../builders/app.js';
import { createTenant } from '../../builders/identities.js';
import type { Files } from '../live-updates/archives.js';
import { MANIFEST } from '../live-updates/uploads.js';
import { temporaryFolder } from '../processes/temporary-folders.js';
import { OwnSite } from '../servers/own-site.js';
import { sha256 } from '../sha256.js';
import { BUILT_IN, PluginDevice, type PluginDeviceSettings } from './plugin-device.js';
import { prepared, VERSIONS } from './prepared.js';
import { TlsProxy } from './tls-proxy.js';

/** A server that devices with the real plugin reach by https, as `slipway.test`, and the devices. */
export class PluginSite {
  private readonly devices: PluginDevice[] = [];

  private constructor(
    private readonly site: OwnSite,
    readonly proxy: TlsProxy,
    private readonly hostsFile: string,
  ) {}

  /**
   * @param env further environment variables of the server
   * @param store origin of the object storage that devices reach as `store.test`
   */
  static async start(env: Readonly<Record<string, string>> = {}, store?: string): Promise<PluginSite> {
    const site = await OwnSite.start({ TRUST_PROXY: '127.0.0.1', ...env });
    const targets = { 'slipway.test': site.origin, ...(store === undefined ? {} : { 'store.test': store }) };
    const proxy = await TlsProxy.start(targets);
    const hostsFile = join(await temporaryFolder(), 'hosts');
    await writeFile(hostsFile, prepared.hosts.map((host) => `${proxy.address} ${host}\n`).join(''));
    return new PluginSite(site, proxy, hostsFile);
  }

  /** Where the command-line tool and tests reach the server, without TLS. */
  get origin(): string {
    return this.site.origin;
  }

  /** Ends all devices, and the server with all that it had. */
  async dispose(): Promise<void> {
    await this.stopDevices();
    this.proxy.stop();
    await this.site.dispose();
  }

  /** Ends all devices, and whatever happens to their requests. */
  async stopDevices(): Promise<void> {
    await Promise.all(this.devices.splice(0).map((device) => device.stop('SIGKILL')));
    this.proxy.heal();
    this.proxy.requests.length = 0;
  }

  /** An app in an organization of its own. */
  async createApp(values: object = {}): Promise<TestApp> {
    return createApp(await createTenant(this.site), values);
  }

  /** Installs the app on a device, and starts it. */
  async install(app: TestApp, settings: Omit<PluginDeviceSettings, 'appId'>): Promise<PluginDevice> {
    const device = await PluginDevice.install({ appId: app.id, ...settings }, this.hostsFile);
    this.devices.push(device);
    return device;
  }

  /** Installs the app on one device for each version of the plugin. */
  installAll(
    app: TestApp,
    settings: Omit<PluginDeviceSettings, 'appId' | 'version'> = {},
    versions: readonly string[] = VERSIONS,
  ): Promise<PluginDevice[]> {
    return inTurn(versions, (version) => this.install(app, { version, ...settings }));
  }
}

/** Two at once: more would only wait for the processor. */
export async function inTurn<T, R>(all: readonly T[], each: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let index = 0; index < all.length; index += 2) {
    results.push(...(await Promise.all(all.slice(index, index + 2).map(each))));
  }
  return results;
}

/** What a device is expected to run. */
export interface ExpectedBundle {
  /** `null`: what it was installed with. */
  readonly id: string | null;
  readonly files: Files;
}

/** Fails unless each device shows exactly the files of a bundle, all of them, and its manifest if there is one. */
export async function expectShown(
  devices: readonly PluginDevice[],
  { id, files }: ExpectedBundle = { id: null, files: BUILT_IN },
): Promise<void> {
  const expected = Object.fromEntries(Object.entries(files).map(([href, bytes]) => [href, sha256(bytes)]));
  await inTurn(devices, async (device) => {
    const { version } = device;
    const { [MANIFEST]: manifest, ...shown } = await device.shown();
    expect({ version, bundleId: await device.bundleId(), shown }).toEqual({
      version,
      bundleId: id,
      shown: expected,
    });
    // Its checksums are no hashes of files: see ADR 30.
    if (manifest !== undefined) {
      expect(await hrefsIn(await device.shownFolder())).toEqual(Object.keys(files).toSorted());
    }
  });
}

/** The files that the manifest of a folder lists. */
async function hrefsIn(folder: string): Promise<string[]> {
  const items = JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as { href: string }[];
  return items.map(({ href }) => href).toSorted();
}
