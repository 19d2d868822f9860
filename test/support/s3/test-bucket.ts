import { randomUUID } from 'node:crypto';
import type { S3Client } from '@aws-sdk/client-s3';
import { loadConfig } from '../../../src/config/load-config.js';
import type { S3Config } from '../../../src/config/groups/s3-config.js';
import { S3_TIMEOUTS, type S3Timeouts } from '../../../src/storage/s3/s3-clients.js';
import { S3ObjectStorage } from '../../../src/storage/s3/s3-object-storage.js';
import { directClient } from './direct-client.js';
import { StorageFailures } from '../../../src/storage/storage-failures.js';

/** A storage below a prefix of its own in the bucket of the test server. */
export interface TestBucket {
  readonly storage: S3ObjectStorage;
  readonly config: S3Config;
  readonly failures: StorageFailures;
  /** A client with the rights of the owner of the bucket. */
  readonly client: S3Client;
  /** Removes everything below the prefix. */
  dispose(): Promise<void>;
}

/** Opens the bucket that the `S3_` variables name. @param env variables that are others */
export async function openTestBucket(
  env: Readonly<Record<string, string>> = {},
  timeouts: S3Timeouts = S3_TIMEOUTS,
): Promise<TestBucket> {
  const prefix = `test-${randomUUID()}`;
  const config = loadConfig({
    ...process.env,
    STORAGE: 's3',
    S3_PREFIX: prefix,
    DATABASE_URL: '',
    ...env,
  }).s3;
  const failures = new StorageFailures();
  const storage = new S3ObjectStorage(config, failures, timeouts);
  const client = directClient();
  const direct = new S3ObjectStorage(
    loadConfig({ ...process.env, STORAGE: 's3', S3_PREFIX: prefix, DATABASE_URL: '' }).s3,
    new StorageFailures(),
  );
  return {
    storage,
    config,
    failures,
    client,
    dispose: async () => {
      for await (const { key } of direct.list('')) await direct.delete(key);
      await direct.removeAbandoned(new Date(Date.now() + 60_000));
    },
  };
}
