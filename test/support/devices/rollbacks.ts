import type { TestApp } from '../../builders/app.js';
import { createDevice } from '../../builders/device.js';

/** The device runs a bundle, which it is offered, and goes back to the one that came with the app. */
export async function rollBack(
  app: TestApp,
  deviceId: string,
  bundleId: string,
  query: Readonly<Record<string, string>> = {},
): Promise<void> {
  await createDevice(app, { ...query, deviceId, bundleId });
  await createDevice(app, { ...query, deviceId });
}
