import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import type { Page } from '../../common/pagination/page.js';
import type { PageQuery } from '../../common/pagination/page-query.dto.js';
import { findPage } from '../../database/rows.js';
import { SubmissionsService } from '../submissions/submissions.service.js';
import { SubmissionRequest } from './submission-request.entity.js';

/** Shows the calls of submissions. */
@Injectable()
export class SubmissionRequestsService {
  constructor(
    @InjectRepository(SubmissionRequest) private readonly requests: Repository<SubmissionRequest>,
    private readonly submissions: SubmissionsService,
  ) {}

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
