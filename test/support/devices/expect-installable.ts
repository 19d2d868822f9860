import { createPublicKey, type KeyObject } from 'node:crypto';
import { AndroidDevice } from './android.js';
import { ElectronDevice } from './electron.js';
import { IosDevice } from './ios.js';

/**
 * Fails unless each platform that reads bundles of the type downloads, verifies and runs a published bundle: by the
 * checksums, and by the signatures when it was signed.
 */
export async function expectInstallable(
  origin: string,
  appId: string,
  bundleId: string,
  artifactType: 'zip' | 'manifest',
  privateKey?: KeyObject,
): Promise<void> {
  const url = `${origin}/v1/apps/${appId}/bundles/${bundleId}/download`;
  const platforms = [AndroidDevice, IosDevice, ...(artifactType === 'zip' ? [ElectronDevice] : [])];
  const keys = privateKey === undefined ? [{}] : [{}, { publicKey: pemOf(privateKey) }];
  for (const key of keys) {
    for (const Platform of platforms) {
      const device = new Platform({ appId, ...key });
      await device.install({ artifactType, bundleId, url, checksum: null, signature: null });
      expect(device.bundleId).toBe(bundleId);
    }
  }
}

function pemOf(privateKey: KeyObject): string {
  return createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString();
}
