import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileForm } from '../../scripts/demo/upload.ts';
import { zip } from '../../scripts/demo/web-app.ts';
import type { Instance } from '../../bench/instance.ts';

/** What a request led to: a success, a 503, another status, or no response. */
const RESULTS = ['succeeded', '503', 'other', 'none'] as const;
export type Result = (typeof RESULTS)[number];

/** Milliseconds that a client waits between two requests. */
const PAUSE = 10;
/** Milliseconds after which a client gives up. */
const PATIENCE = 20_000;

/** Clients that send requests without a pause, repeat none, and remember what was acknowledged. */
export class FaultTraffic {
  readonly counts: Record<Result, number> = { succeeded: 0, '503': 0, other: 0, none: 0 };
  /** What the others were, such as `POST channels: 500`. */
  readonly others = new Set<string>();
  /** The longest time until a response or the end of a connection, in milliseconds. */
  longest = 0;
  /** Ids of devices whose update check succeeded. */
  readonly checkIns: string[] = [];
  /** Names of channels that were created. */
  readonly channels: string[] = [];
  private readonly instance: Instance;
  private readonly origin: string;
  private readonly running: Promise<void>[] = [];
  private stopping = false;
  private path = '';
  private bundleId = '';

  /** @param origin of the server under test */
  constructor(instance: Instance, origin: string) {
    this.instance = instance;
    this.origin = origin;
  }

  /** Creates an app with a published bundle, and starts the clients as soon as devices get it. */
  async start(): Promise<void> {
    const { id } = await this.instance.call<{ id: string }>('POST', '/v1/apps', {
      name: `Drill ${randomUUID()}`,
    });
    this.path = `/v1/apps/${id}`;
    this.bundleId = await this.publish();
    await this.untilServed();
    const clients = [this.check, this.check, this.check, this.read, this.write, this.write, this.download];
    for (const client of clients) this.running.push(this.repeat(() => client.call(this)));
  }

  /** Waits until every kind of request succeeds. @returns how long that took, in seconds */
  async untilServed(): Promise<number> {
    const begun = performance.now();
    for (;;) {
      const kinds = [this.check, this.read, this.write, this.download];
      const results = await Promise.all(kinds.map((kind) => kind.call(this)));
      if (results.every((result) => result === 'succeeded')) return (performance.now() - begun) / 1000;
      if (performance.now() - begun > 120_000) throw new Error('It does not work again.');
      await sleep(200);
    }
  }

  /** Waits for the last responses. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.running);
  }

  private async repeat(send: () => Promise<Result>): Promise<void> {
    while (!this.stopping) {
      const begun = performance.now();
      this.counts[await send()]++;
      this.longest = Math.max(this.longest, performance.now() - begun);
      await sleep(PAUSE);
    }
  }

  /** An update check of a device that was never seen. */
  private async check(): Promise<Result> {
    const deviceId = randomUUID();
    const query = `appVersionCode=1&appVersionName=1.0.0&deviceId=${deviceId}&osVersion=34&platform=0&pluginVersion=8.4.3`;
    return this.send('GET', `/bundles/latest?${query}`, 200, undefined, (body) => {
      const { bundleId } = JSON.parse(body) as { bundleId: string };
      if (bundleId === this.bundleId) this.checkIns.push(deviceId);
      else this.others.add(`GET bundles/latest: ${bundleId}`);
    });
  }

  private async read(): Promise<Result> {
    return this.send('GET', '/channels', 200);
  }

  private async write(): Promise<Result> {
    const name = randomUUID();
    return this.send('POST', '/channels', 201, { name }, () => this.channels.push(name));
  }

  private async download(): Promise<Result> {
    return this.send('GET', `/bundles/${this.bundleId}/download`, 200);
  }

  private async send(
    method: string,
    path: string,
    expected: number,
    body?: object,
    onSuccess?: (body: string) => void,
  ): Promise<Result> {
    // Devices have no token, and what a browser sends is not recorded as one.
    const headers: Record<string, string> = path.startsWith('/bundles')
      ? {}
      : { Authorization: `Bearer ${this.instance.token}`, 'Content-Type': 'application/json' };
    try {
      const response = await fetch(this.origin + this.path + path, {
        method,
        headers,
        signal: AbortSignal.timeout(PATIENCE),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.status === 503) return '503';
      if (response.status !== expected) {
        this.others.add(`${method} ${path.replaceAll(/[0-9a-f-]{36}|\?.*/g, '')}: ${response.status}`);
        return 'other';
      }
      onSuccess?.(text);
      return 'succeeded';
    } catch {
      return 'none';
    }
  }

  /** @returns the id of a bundle that every device gets */
  private async publish(): Promise<string> {
    const content = await zip(new Map([['index.html', randomBytes(100_000)]]));
    const bundles = `${this.path}/bundles`;
    const { id } = await this.instance.call<{ id: string }>('POST', bundles, { artifactType: 'zip' });
    const headers = { Authorization: `Bearer ${this.instance.token}` };
    const response = await fetch(`${this.origin}${bundles}/${id}/files`, {
      method: 'POST',
      headers,
      body: fileForm('bundle.zip', content),
    });
    const file = (await response.json()) as { id: string };
    await this.instance.call('PATCH', `${bundles}/${id}`, {
      appBundleFileId: file.id,
      artifactStatus: 'ready',
    });
    return id;
  }
}
