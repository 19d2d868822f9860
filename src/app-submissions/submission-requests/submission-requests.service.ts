import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import type { PageQuery } from '../../common/pagination/page-query.dto.js';
import type { Page } from '../../common/pagination/page.js';
import { deleteInBatches } from '../../database/delete-in-batches.js';
import { findPage, insertOrThrow } from '../../database/rows.js';
import { outsideTransaction } from '../../database/transactions/transaction.js';
import { QueueService } from '../../queue/queue.service.js';
import { SubmissionsService } from '../submissions/submissions.service.js';
import { SubmissionRequest } from './submission-request.entity.js';
import { SubmissionRequestsQueries } from './submission-requests.queries.js';

/** Calls of a submission that are kept: eight times those of an app of 2 GB. */
export const MAX_KEPT_REQUESTS = 2000;
/** Days that calls are kept. */
const KEPT_DAYS = 30;
/** Rows that one statement deletes. */
const BATCH = 500;

/** A call as it is kept: without secrets. */
export type NewSubmissionRequest = Omit<SubmissionRequest, 'id' | 'submissionId' | 'createdAt' | 'updatedAt'>;

/** The calls of submissions, which are kept for a while. */
@Injectable()
export class SubmissionRequestsService implements OnModuleInit {
  constructor(
    @InjectRepository(SubmissionRequest) private readonly requests: Repository<SubmissionRequest>,
    private readonly queries: SubmissionRequestsQueries,
    private readonly submissions: SubmissionsService,
    private readonly queue: QueueService,
  ) {}

  /** Deletes calls when their retention period has ended. */
  onModuleInit(): void {
    this.queue.schedule({
      name: 'submission-request-retention',
      cron: '30 0 * * *',
      timeoutSeconds: 1800,
      run: () => deleteInBatches(BATCH, (limit) => this.queries.deleteOld(KEPT_DAYS, limit)),
    });
  }

  /**
   * Keeps a call, also when the transaction around it is rolled back: the store got the call all the same. Beyond
   * `MAX_KEPT_REQUESTS`, the oldest call of the submission goes: how it failed is at the end.
   */
  async record(submissionId: string, call: NewSubmissionRequest): Promise<void> {
    await outsideTransaction(async () => {
      await insertOrThrow(this.requests, { submissionId, ...call });
      await this.queries.keepLatest(submissionId, MAX_KEPT_REQUESTS);
    });
  }

  /**
   * The calls of a submission and of the changes of its release, oldest first.
   *
   * @throws NotFoundError when the app has no deployment to a store under this id
   */
  async list(appId: string, submissionId: string, query: PageQuery): Promise<Page<SubmissionRequest>> {
    const { id } = await this.submissions.getOfDeployment(appId, submissionId);
    const changes = await this.submissions.changesOf(id);
    return findPage(this.requests, { submissionId: In([id, ...changes]) }, query, { id: 'ASC' });
  }
}
