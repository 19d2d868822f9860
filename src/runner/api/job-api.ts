import { createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gzip } from 'node:zlib';
import { promisify } from 'node:util';
import type { FinishJobDto, LogProgressDto } from '../../jobs/runner-jobs/runner-jobs.dto.js';
import type { BuildPayloadDto } from '../../native-builds/runner-builds/build-payload.dto.js';
import type {
  CreateRunnerArtifactDto,
  RunnerArtifactDto,
  UpdateRunnerBuildDto,
} from '../../native-builds/runner-builds/runner-artifact.dto.js';
import type { UploadedPartDto } from '../../storage/uploads/file-upload.dto.js';
import { type ApiClient, type ApiRequest, ignoreBody, readJson } from './api-client.js';

/** How long one try of something large may take, in milliseconds. */
const LARGE = 10 * 60_000;

/** The requests with the token of a job. */
export class JobApi {
  /**
   * @param client with the token of the job
   * @param signal ends all requests
   */
  constructor(
    private readonly client: ApiClient,
    private readonly signal: AbortSignal,
  ) {}

  /** The same, which another signal ends, too. */
  within(signal: AbortSignal): JobApi {
    return new JobApi(this.client, AbortSignal.any([this.signal, signal]));
  }

  /** The attempt counts from now on. */
  async start(): Promise<void> {
    await this.send({ method: 'POST', path: 'start', json: {} }, ignoreBody);
  }

  payload(): Promise<BuildPayloadDto> {
    return this.send({ method: 'GET', path: 'payload' }, readJson<BuildPayloadDto>);
  }

  /** Extends the lease. Sent once: the next beat follows. @param tryFor milliseconds */
  async extendLease(tryFor: number, idleSeconds: number): Promise<void> {
    await this.send({ method: 'PUT', path: 'lease', json: { idleSeconds }, tryFor, patience: 0 }, ignoreBody);
  }

  /**
   * Sends a part of the log.
   *
   * @param offset of its first byte in the log of this attempt
   * @returns how many bytes of the log have arrived
   * @throws RefusedError with the code `log_out_of_step`, whose header `Upload-Offset` says where to continue
   */
  async sendLog(offset: number, part: Buffer): Promise<number> {
    const compressed = await promisify(gzip)(part);
    const isSmaller = compressed.length < part.length;
    const { logBytes } = await this.send(
      {
        method: 'PATCH',
        path: 'log',
        headers: {
          'Content-Type': 'text/plain',
          'Upload-Offset': String(offset),
          ...(isSmaller ? { 'Content-Encoding': 'gzip' } : {}),
        },
        body: new Uint8Array(isSmaller ? compressed : part),
      },
      readJson<LogProgressDto>,
    );
    return logBytes;
  }

  async finish(end: FinishJobDto): Promise<void> {
    await this.send({ method: 'POST', path: 'finish', json: end }, ignoreBody);
  }

  async updateBuild(values: UpdateRunnerBuildDto): Promise<void> {
    await this.send({ method: 'PATCH', path: 'build', json: values }, ignoreBody);
  }

  /**
   * Downloads the source to a new file, from the beginning whenever the connection breaks.
   *
   * @param limit most bytes: a response that is longer ends
   * @param onBytes with every chunk
   */
  async downloadSource(path: string, limit: number, onBytes: (chunk: Buffer) => void): Promise<void> {
    await this.send({ method: 'GET', path: 'source', tryFor: LARGE }, async ({ body }) => {
      let length = 0;
      const counter = new Transform({
        transform: (chunk: Buffer, _encoding, done) => {
          length += chunk.length;
          onBytes(chunk);
          done(length > limit ? new Error('The source is longer than the API says.') : null, chunk);
        },
      });
      const bytes = body === null ? Readable.from([]) : Readable.fromWeb(body);
      await pipeline(bytes, counter, createWriteStream(path, { mode: 0o600 }));
    });
  }

  async announce(file: CreateRunnerArtifactDto): Promise<string> {
    const { id } = await this.send(
      { method: 'POST', path: 'artifacts', json: file },
      readJson<RunnerArtifactDto>,
    );
    return id;
  }

  async beginUpload(artifactId: string): Promise<string> {
    const { uploadId } = await this.send(
      { method: 'POST', path: uploadPath(artifactId, 'mpu-create'), json: {} },
      readJson<{ uploadId: string }>,
    );
    return uploadId;
  }

  putPart(artifactId: string, uploadId: string, partNumber: number, part: Blob): Promise<UploadedPartDto> {
    const body = new FormData();
    body.set('partNumber', String(partNumber));
    body.set('blob', part);
    const path = uploadPath(artifactId, 'mpu-uploadpart', uploadId);
    return this.send({ method: 'PUT', path, body, tryFor: LARGE }, readJson<UploadedPartDto>);
  }

  /** Joins the parts: the API compares the file with what was announced, and verifies it. */
  async completeUpload(
    artifactId: string,
    uploadId: string,
    parts: readonly UploadedPartDto[],
  ): Promise<void> {
    const path = uploadPath(artifactId, 'mpu-complete', uploadId);
    await this.send({ method: 'POST', path, json: { parts }, tryFor: LARGE }, ignoreBody);
  }

  private send<T>(request: ApiRequest, read: (response: Response) => Promise<T>): Promise<T> {
    return this.client.send(
      { signal: this.signal, ...request, path: `/v1/runner/job/${request.path}` },
      read,
    );
  }
}

function uploadPath(artifactId: string, action: string, uploadId?: string): string {
  const query = new URLSearchParams({ action, ...(uploadId === undefined ? {} : { uploadId }) });
  return `artifacts/${artifactId}/upload?${query.toString()}`;
}
