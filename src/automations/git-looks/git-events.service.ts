import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { PageQuery } from '../../common/pagination/page-query.dto.js';
import type { Page } from '../../common/pagination/page.js';
import { findPage } from '../../database/rows.js';
import { GitEvent } from './git-event.entity.js';

@Injectable()
export class GitEventsService {
  constructor(@InjectRepository(GitEvent) private readonly gitEvents: Repository<GitEvent>) {}

  /** What automations of an app have made of changes, newest first. */
  list(appId: string, query: PageQuery): Promise<Page<GitEvent>> {
    return findPage(this.gitEvents, { appId }, query, { createdAt: 'DESC' });
  }
}
