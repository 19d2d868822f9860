import { Injectable } from '@nestjs/common';
import { UsersService } from '../../accounts/users/users.service.js';
import { type ReleaseEventDto, toReleaseEventDto } from './release-event.dto.js';
import type { ReleaseEvent } from './release-event.entity.js';

/** Presents events of releases with their users: one statement for any number. */
@Injectable()
export class ReleaseHistoryPresenter {
  constructor(private readonly users: UsersService) {}

  async present(events: readonly ReleaseEvent[]): Promise<ReleaseEventDto[]> {
    const references = await this.users.referencesTo(events.map(({ userId }) => userId));
    return events.map((event) => toReleaseEventDto(event, references.get(event.userId ?? '') ?? null));
  }
}
