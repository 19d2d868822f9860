import { S3Client } from '@aws-sdk/client-s3';

/** A client for the server that the `S3_` variables name, with the rights of the owner of the bucket. */
export function directClient(env: NodeJS.ProcessEnv = process.env): S3Client {
  return new S3Client({
    endpoint: env['S3_ENDPOINT'] ?? '',
    region: env['S3_REGION'] ?? '',
    forcePathStyle: env['S3_FORCE_PATH_STYLE'] === 'true',
    credentials: {
      accessKeyId: env['S3_ACCESS_KEY_ID'] ?? '',
      secretAccessKey: env['S3_SECRET_ACCESS_KEY'] ?? '',
    },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}
