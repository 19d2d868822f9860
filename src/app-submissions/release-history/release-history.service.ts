import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { insertOrThrow } from '../../database/rows.js';
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
  constructor(@InjectRepository(ReleaseEvent) private readonly events: Repository<ReleaseEvent>) {}

  /** Adds a line, in the running transaction. */
  async add(event: NewReleaseEvent): Promise<void> {
    await insertOrThrow(this.events, event);
  }
}
