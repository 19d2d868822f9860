import { expectCreated } from '../support/http/expect-created.js';
import { uniqueName } from '../support/unique-name.js';
import type { TestApp } from './app.js';

/** A channel as the API shows it. */
export interface TestChannel {
  readonly id: string;
  readonly name: string;
}

/** A channel of the app, under a name of its own unless given. */
export async function createChannel(app: TestApp, values: object = {}): Promise<TestChannel> {
  return expectCreated(
    await app.api.post(`${app.path}/channels`, { name: uniqueName('channel'), ...values }),
  );
}
