import { basename } from 'node:path';

/** Whether the servers under test keep their files in object storage: `STORAGE=s3 npm run test:s3`. */
export const isOnS3 = process.env['STORAGE'] === 's3';

/**
 * The variables of a server that keeps its files in object storage, if it does. Servers with one `DATA_DIR` share their
 * files, as on disk.
 */
export function storageEnv(dataDir: string | undefined): Record<string, string> {
  if (!isOnS3 || dataDir === undefined) return {};
  // Publications of many files take longer than on disk.
  const patience = { PUBLISH_COMPRESSION_SECONDS: '60' };
  return { ...s3Env(), ...patience, STORAGE: 's3', S3_PREFIX: prefixOf(dataDir) };
}

/** The `S3_` variables of this process. */
export function s3Env(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      name.startsWith('S3_') && value !== undefined ? [[name, value]] : [],
    ),
  );
}

/** Where a server with this `DATA_DIR` keeps its files in the bucket. */
export function prefixOf(dataDir: string): string {
  return basename(dataDir);
}
