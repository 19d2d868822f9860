import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { insertOrThrow } from '../../database/rows.js';
import { outsideTransaction } from '../../database/transactions/transaction.js';
import { SubmissionRequest } from './submission-request.entity.js';
import { SubmissionRequestsQueries } from './submission-requests.queries.js';

/** Calls of a submission that are kept: eight times those of an app of 2 GB. */
export const MAX_KEPT_REQUESTS = 2000;

/** A call as it is kept: without secrets. */
export type NewSubmissionRequest = Omit<SubmissionRequest, 'id' | 'submissionId' | 'createdAt' | 'updatedAt'>;

/** Keeps the calls of submissions. */
@Injectable()
export class SubmissionRecorder {
  constructor(
    @InjectRepository(SubmissionRequest) private readonly requests: Repository<SubmissionRequest>,
    private readonly queries: SubmissionRequestsQueries,
  ) {}

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
}
