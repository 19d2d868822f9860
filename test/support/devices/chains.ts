import { generateKeyPairSync } from 'node:crypto';
import { createApp, type TestApp } from '../../builders/app.js';
import { type Published, publishManifest, publishZip } from '../../builders/publication.js';
import { eventually } from '../eventually.js';
import { pick, randomOf } from '../random.js';
import { AndroidDevice } from './android.js';
import type { Device, DeviceSettings } from './device.js';
import { ElectronDevice } from './electron.js';
import { IosDevice } from './ios.js';

/** Devices of one app, which all go through its releases. */
export const DEVICES_PER_APP = 20;
const RELEASES = 5;
/** Starts with a bad release: more than any device may have. */
const BAD_STARTS = 6;
/** Roll-backs from which on a bundle is withheld, and one start more: a check is answered before it is counted. */
const MAX_BAD_STARTS = 3;

const PLUGINS = ['6.6.0', '6.8.0', '7.0.0', '7.1.0', '7.2.1', '7.2.2', '7.5.0', '8.0.0', '8.3.0', '8.4.3'];
const PATHS = ['app.js', 'a b.js', 'assets/ü.css', 'assets/x.js', 'empty.js', 'assets/app.js'];
/** Few, so that releases swap them between paths. One is empty. */
const CONTENTS = ['', 'a', 'b', 'c', 'd '.repeat(800)];

/** Why a device may end without the newest release. */
const EXPLAINED = ['support-type', 'change-files'];

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicKey = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString();

type Files = Record<string, string>;

/** A release of an app. */
interface Release extends Published {
  readonly files: Files;
  readonly type: 'zip' | 'manifest';
}

/** What was done, and what was wrong. */
export class ChainCounts {
  chains = 0;
  releases = 0;
  installs = 0;
  rollBacks = 0;
  /** Ends with an older release than the newest, because the server withholds it for a reason that it explains. */
  withheld = 0;
  readonly problems: string[] = [];
}

/**
 * Chains of releases that devices of all generations install one after the other, some of them not every one, and some of
 * which fail to start. All of it is decided by a seed.
 */
export class DeviceChains {
  private readonly random: () => number;
  private readonly releases = new Map<string, Release>();
  private app!: TestApp;
  private devices: Device[] = [];
  private isSigned = false;

  constructor(
    private readonly seed: number,
    private readonly counts: ChainCounts,
  ) {
    this.random = randomOf(seed);
  }

  async run(): Promise<void> {
    this.app = await createApp();
    this.isSigned = this.random() < 0.3;
    this.devices = Array.from({ length: DEVICES_PER_APP }, () => this.anyDevice());
    const bad = 1 + Math.floor(this.random() * (RELEASES - 2));
    let files: Files = { 'index.html': 'first' };
    for (let number = 0; number < RELEASES; number++) {
      files = this.changed(files, number);
      // One of each app, and others: the first and the last release are good.
      const isBad = number > 0 && number < RELEASES - 1 && (this.random() < 0.25 || number === bad);
      const release = await this.publish(files);
      for (const device of this.devices) if (this.random() < 0.7) await this.update(device);
      if (isBad) await this.fail(release);
      else for (const device of this.devices) device.ready();
    }
    await this.end(files);
    this.counts.chains += this.devices.length;
  }

  private anyDevice(): Device {
    const { random } = this;
    const settings: DeviceSettings = {
      appId: this.app.id,
      pluginVersion: pick(PLUGINS, random),
      builtIn: { 'index.html': Buffer.from('built in'), 'app.js': Buffer.from('a') },
      ...(this.isSigned && random() < 0.7 ? { publicKey } : {}),
    };
    const kind = pick(['android', 'ios', 'ios', 'cordova', 'electron'] as const, random);
    if (kind === 'electron') return new ElectronDevice({ ...settings, pluginVersion: '0.2.0' });
    if (kind === 'android') return new AndroidDevice(settings);
    if (kind === 'ios') return new IosDevice(settings);
    const Platform = pick([AndroidDevice, IosDevice], random);
    return new Platform({ ...settings, pluginVersion: '0.3.0', runtime: 'cordova' });
  }

  /** The next release: other contents, swapped ones, new and removed files. */
  private changed(files: Files, number: number): Files {
    const next: Files = { ...files, 'index.html': `release ${number}` };
    for (const path of PATHS) {
      const choice = this.random();
      if (choice < 0.2) delete next[path];
      else if (choice < 0.6) next[path] = pick(CONTENTS, this.random);
    }
    return next;
  }

  /** As a manifest mostly. A signed one that devices would build wrongly is refused: then it is a zip. */
  private async publish(files: Files): Promise<Release> {
    const how = this.isSigned ? { privateKey: keys.privateKey } : {};
    const asZip = async (): Promise<Release> => ({
      ...(await publishZip(this.app, files, how)),
      files,
      type: 'zip',
    });
    const asManifest = async (): Promise<Release> => ({
      ...(await publishManifest(this.app, files, how)),
      files,
      type: 'manifest',
    });
    const release =
      this.random() < 0.25
        ? await asZip()
        : await asManifest().catch((error: unknown) => {
            if (!this.isSigned || !String(error).includes('unsafe_reuse')) throw error;
            return asZip();
          });
    this.releases.set(release.id, release);
    this.counts.releases++;
    return release;
  }

  /** The device checks, and has exactly the files of what it runs then. */
  private async update(device: Device): Promise<void> {
    const before = device.bundleId;
    try {
      await device.sync();
    } catch (error) {
      this.report(device, String(error));
    }
    if (device.bundleId === before || device.bundleId === null) return;
    this.counts.installs++;
    const files: Files = this.releases.get(device.bundleId)?.files ?? {};
    const wrong = new Set([...Object.keys(files), ...device.files.keys()]);
    for (const [path, content] of Object.entries(files)) {
      if (device.files.get(path)?.equals(Buffer.from(content))) wrong.delete(path);
    }
    if (wrong.size > 0) this.report(device, `wrong: ${[...wrong].join(', ')}`);
  }

  /** No device that starts with the release calls `ready()`. */
  private async fail({ id }: Release): Promise<void> {
    const starts = new Map<Device, number>();
    for (let start = 0; start < BAD_STARTS; start++) {
      const failing = this.devices.filter(({ bundleId }) => bundleId === id);
      await this.checkAll(failing);
      for (const device of failing) {
        starts.set(device, (starts.get(device) ?? 0) + 1);
        device.rollBack();
        this.counts.rollBacks++;
      }
      await this.checkAll(failing);
      for (const device of failing) await this.update(device);
    }
    for (const [device, count] of starts) {
      if (count > MAX_BAD_STARTS) this.report(device, `${count} starts with a release that fails`);
    }
  }

  /** Checks that are written before the next ones. */
  private async checkAll(devices: readonly Device[]): Promise<void> {
    for (const device of devices) await device.check();
    await this.app.api.get(`${this.app.path}/devices?limit=1`);
  }

  /** All devices have the newest release, unless the server explains why not. */
  private async end(files: Files): Promise<void> {
    const newest = [...this.releases.values()].at(-1);
    if (newest === undefined) return;
    if (newest.type === 'manifest' && !this.isSigned && Object.values(files).includes('')) {
      const device = new IosDevice({ appId: this.app.id, pluginVersion: '7.2.1' });
      await eventually(async () => {
        await device.sync();
        expect(device.bundleId).toBe(newest.id);
      });
    }
    for (const device of this.devices) {
      await this.update(device);
      if (device.bundleId === newest.id) continue;
      const remedies = await this.remediesOf(device);
      if (remedies.length === 0 || !remedies.every((remedy) => EXPLAINED.includes(remedy))) {
        this.report(device, `ends without the newest release: ${remedies.join(', ')}`);
      }
      this.counts.withheld++;
    }
  }

  private async remediesOf({ deviceId }: Device): Promise<string[]> {
    const { body } = await this.app.api.get(`${this.app.path}/devices/${deviceId}/decision`);
    const { goals } = body as { goals: { remedies: { remedy: string }[] }[] };
    return goals.flatMap(({ remedies }) => remedies.map(({ remedy }) => remedy));
  }

  private report(device: Device, problem: string): void {
    this.counts.problems.push(`seed ${this.seed}, ${device.describe()}: ${problem}`);
  }
}
