import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { Page } from '../../common/pagination/page.js';
import type { PageQuery } from '../../common/pagination/page-query.dto.js';
import { findPage, insertOrThrow } from '../../database/rows.js';
import { SubmissionsService } from '../submissions/submissions.service.js';
import { ReleaseEvent } from './release-event.entity.js';

/** What is new in the history of a release; absent is `null`. */
export type NewReleaseEvent = Pick<ReleaseEvent, 'appId' | 'releaseId' | 'kind' | 'actor'> &
  Partial<
    Pick<
      ReleaseEvent,
      'userId' | 'action' | 'userFraction' | 'status' | 'hasSucceeded' | 'jobId' | 'message' | 'storeMessage'
    >
  >;

/** Who did what to releases, and what the stores said. */
@Injectable()
export class ReleaseHistory {
  constructor(
    @InjectRepository(ReleaseEvent) private readonly events: Repository<ReleaseEvent>,
    private readonly submissions: SubmissionsService,
  ) {}

  /** Adds a line, in the running transaction. */
  async add(event: NewReleaseEvent): Promise<void> {
    await insertOrThrow(this.events, event);
  }

  /**
   * What happened to the release of a submission, oldest first.
   *
   * @throws NotFoundError when the app has no deployment to a store under this id
   */
  async list(appId: string, releaseId: string, query: PageQuery): Promise<Page<ReleaseEvent>> {
    const { id } = await this.submissions.getOfDeployment(appId, releaseId);
    return findPage(this.events, { releaseId: id }, query, { id: 'ASC' });
  }
}
