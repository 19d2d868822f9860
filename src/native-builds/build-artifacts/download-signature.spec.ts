import { randomBytes } from 'node:crypto';
import { isDownloadSigned, signDownload } from './signed-downloads.service.js';

describe('download signature', () => {
  const key = randomBytes(32);
  const signature = signDownload(key, 'artifact', 2000);

  it('opens the artifact until it expires', () => {
    expect(isDownloadSigned(key, 'artifact', 2000, signature, 1999)).toBe(true);
    expect(isDownloadSigned(key, 'artifact', 2000, signature, 2000)).toBe(false);
  });

  it('opens nothing else, no later and with no other key', () => {
    expect(isDownloadSigned(key, 'other', 2000, signature, 0)).toBe(false);
    expect(isDownloadSigned(key, 'artifact', 3000, signature, 0)).toBe(false);
    expect(isDownloadSigned(randomBytes(32), 'artifact', 2000, signature, 0)).toBe(false);
    expect(isDownloadSigned(key, 'artifact', 2000, signature.slice(1), 0)).toBe(false);
    expect(isDownloadSigned(key, 'artifact', 2000, '', 0)).toBe(false);
  });
});
