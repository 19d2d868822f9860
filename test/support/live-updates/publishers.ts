import { randomBytes } from 'node:crypto';
import type { TestApp } from '../../builders/app.js';
import { createBundle } from '../../builders/bundle.js';
import {
  announce,
  beginUpload,
  completeUpload,
  MANIFEST,
  manifestOf,
  postFile,
  publish,
  putPart,
} from './uploads.js';

/** Clients that create, upload and publish bundles, one after the other, for as long as they are let. */
export class Publishers {
  /** Ids of the bundles whose publication the server has confirmed. */
  readonly confirmed: string[] = [];
  /** Statuses of the refusals. */
  readonly failures: unknown[] = [];
  private stopped = false;
  private readonly running: Promise<void>[];

  constructor(
    private readonly app: Pick<TestApp, 'api' | 'id' | 'path'>,
    clients: number,
  ) {
    this.running = Array.from({ length: clients }, () => this.run());
  }

  /** Lets each client end what it does. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.running);
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      try {
        this.confirmed.push(await this.publishOne());
      } catch (error) {
        this.failures.push(error);
      }
    }
  }

  private async publishOne(): Promise<string> {
    // No process spends its time on compressing the large one.
    const files = { 'index.html': randomBytes(100), 'app.bin': randomBytes(100_000), 'shared.css': 'shared' };
    const bundle = await createBundle(this.app);
    const responses = await Promise.all(
      Object.entries({ ...files, [MANIFEST]: manifestOf({ ...files, 'parts.bin': files['app.bin'] }) }).map(
        ([href, content]) => postFile(bundle, content, { href }),
      ),
    );
    const file = await announce(bundle, files['app.bin'], { href: 'parts.bin' });
    const upload = await beginUpload(bundle.api, file);
    const part = await putPart(bundle.api, file, upload, 1, files['app.bin']);
    responses.push(
      part,
      await completeUpload(bundle.api, file, upload, [part.body as { etag: string; partNumber: number }]),
      await publish(bundle),
    );
    const failed = responses.find(({ status }) => status >= 300);
    if (failed !== undefined) throw new Error(`${failed.status} ${failed.text}`);
    return bundle.id;
  }
}
