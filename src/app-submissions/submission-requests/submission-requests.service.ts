import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { NotFoundError } from '../../common/errors/app-error.js';
import type { Page } from '../../common/pagination/page.js';
import type { PageQuery } from '../../common/pagination/page-query.dto.js';
import { findPage } from '../../database/rows.js';
import { SubmissionRequest } from './submission-request.entity.js';
import { SubmissionRequestsQueries } from './submission-requests.queries.js';

/** Shows the calls of submissions. */
@Injectable()
export class SubmissionRequestsService {
  constructor(
    @InjectRepository(SubmissionRequest) private readonly requests: Repository<SubmissionRequest>,
    private readonly queries: SubmissionRequestsQueries,
  ) {}

  /**
   * The calls of a submission, oldest first.
   *
   * @throws NotFoundError if the app has no submission under this id
   */
  async list(appId: string, submissionId: string, query: PageQuery): Promise<Page<SubmissionRequest>> {
    if (!(await this.queries.hasSubmission(appId, submissionId))) {
      throw new NotFoundError('Submission');
    }
    return findPage(this.requests, { submissionId }, query, { id: 'ASC' });
  }
}
