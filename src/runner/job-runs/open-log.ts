import { join } from 'node:path';
import type { RunnerSessionDto } from '../../jobs/runner-sessions/runner-session.dto.js';
import { cleanShortText } from '../../common/secrets/clean-lines.js';
import { SecretMasker } from '../../common/secrets/secret-masker.js';
import type { JobApi } from '../api/job-api.js';
import { JobLog } from '../job-log/job-log.js';
import { LogSender } from '../job-log/log-sender.js';
import { LogSpool } from '../job-log/log-spool.js';

/** What the server asks of logs. */
export type LogProtocol = Pick<RunnerSessionDto, 'maxLogChunkBytes' | 'maxLogBytes' | 'logSeconds'>;

/** What the log of a job needs. */
export interface OpenLogDeps {
  readonly api: JobApi;
  readonly protocol: LogProtocol;
  /** Folder of the job. */
  readonly root: string;
  readonly masks: readonly string[];
  /** Aborted when the job is no longer this runner's: then nothing is sent. */
  readonly signal: AbortSignal;
  /** Called after every output. */
  readonly onOutput: () => void;
  /** Gets the masked log. */
  readonly onMasked: (bytes: Buffer) => void;
}

/** The log of a job, with what masks, stores and sends it. */
export class OpenLog {
  readonly log: JobLog;
  private readonly masker: SecretMasker;
  private readonly spool: LogSpool;
  private readonly sender: LogSender;

  constructor({ api, protocol, root, masks, signal, onOutput, onMasked }: OpenLogDeps) {
    this.masker = SecretMasker.of(masks);
    this.spool = new LogSpool(join(root, 'log'));
    this.log = new JobLog(this.spool, this.masker, { maxBytes: protocol.maxLogBytes, onOutput, onMasked });
    this.sender = new LogSender(this.spool, api, protocol, signal);
  }

  /** Bytes of the masked log. */
  get length(): number {
    return this.spool.length;
  }

  /** @returns the text without secrets */
  masked(text: string): string {
    return cleanShortText(text, this.masker);
  }

  /** Ends the log and sends its rest. @throws what stopped the sender */
  async end(): Promise<void> {
    this.log.end();
    await this.sender.close();
  }

  /** Sends the log once more. @param offset that the API expects, as its header has it */
  resendFrom(offset: string | null): Promise<void> {
    return this.sender.resendFrom(offset);
  }

  /** Stops the sender and closes the file. */
  async close(): Promise<void> {
    await this.sender.close().catch(() => undefined);
    this.spool.close();
  }
}
