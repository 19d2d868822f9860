import { CompleteMultipartUploadCommand, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import type { S3Config } from '../../config/groups/s3-config.js';

/** Time-outs of requests to the store, in milliseconds. */
export interface S3Timeouts {
  /** Until a connection is open. */
  readonly connect: number;
  /** Of one attempt, from its beginning until the headers of the response, with the wait for a connection. */
  readonly request: number;
  /** Of an attempt that makes the store copy bytes. */
  readonly copy: number;
  /** In which no byte of a content arrives although there is room for it. */
  readonly stall: number;
}

export const S3_TIMEOUTS: S3Timeouts = { connect: 5000, request: 30_000, copy: 300_000, stall: 30_000 };

/** Attempts of one request, with random and growing delays between them: below two seconds all in all. */
const ATTEMPTS = 4;
/** Connections for everything but reading. */
const CONNECTIONS = 50;
/** Connections for reading: a slow device holds one for as long as its download takes. */
const READ_CONNECTIONS = 500;

/** Two clients that send: many slow downloads must not leave writes without a connection. */
export interface S3Clients {
  readonly requests: S3Client;
  /** As `requests`, with the longer time-out of copies for completing an upload: a store may join its parts then. */
  readonly uploads: S3Client;
  readonly reads: S3Client;
  /** Signs addresses for others, who reach the store at `S3_PUBLIC_ENDPOINT`. It sends nothing. */
  readonly presigner: S3Client;
}

/** @param config with bucket and region */
export function createS3Clients(config: S3Config, timeouts: S3Timeouts): S3Clients {
  const { endpoint, publicEndpoint, region, accessKeyId, secretAccessKey, forcePathStyle } = config;
  const common: S3ClientConfig = {
    ...(endpoint === null ? {} : { endpoint }),
    region: region ?? '',
    forcePathStyle,
    // Without keys, the SDK looks for the identity of the platform.
    ...(accessKeyId === null || secretAccessKey === null
      ? {}
      : { credentials: { accessKeyId, secretAccessKey } }),
    maxAttempts: ATTEMPTS,
    // The default sends checksums in trailers, which most stores other than Amazon S3 reject. The signature covers the
    // SHA-256 of every body in any case.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Otherwise the SDK opens a separate connection for every larger part, without limit.
    expectContinueHeader: false,
  };
  // A slow reader is no fault of the store, so reads have no limit here: `readBody` notices when the store stalls.
  const client = (maxSockets: number, socketTimeout: number): S3Client =>
    new S3Client({
      ...common,
      requestHandler: {
        connectionTimeout: timeouts.connect,
        requestTimeout: timeouts.request,
        throwOnRequestTimeout: true,
        socketTimeout,
        httpAgent: { keepAlive: true, maxSockets },
        httpsAgent: { keepAlive: true, maxSockets },
        logger: quiet,
      },
    });
  const requests = client(CONNECTIONS, timeouts.copy);
  return {
    requests,
    uploads: completingWithin(requests, timeouts.copy),
    reads: client(READ_CONNECTIONS, 0),
    presigner: new S3Client({
      ...common,
      ...(publicEndpoint === null ? {} : { endpoint: publicEndpoint }),
    }),
  };
}

/** The class `Upload` of the SDK sends every request without options. */
function completingWithin(client: S3Client, requestTimeout: number): S3Client {
  const send = (command: Parameters<S3Client['send']>[0]): Promise<unknown> =>
    command instanceof CompleteMultipartUploadCommand
      ? client.send(command, { requestTimeout })
      : client.send(command);
  return Object.assign(Object.create(client) as S3Client, { send });
}

/** The SDK would print warnings about waiting requests to the console. */
const nothing = (): void => undefined;
const quiet = { debug: nothing, info: nothing, warn: nothing, error: nothing };
