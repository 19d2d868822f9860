import { Injectable } from '@nestjs/common';
import { toUserReferenceDto } from '../../accounts/users/user.dto.js';
import { UsersService } from '../../accounts/users/users.service.js';
import { type ReleaseEventDto, toReleaseEventDto } from './release-event.dto.js';
import type { ReleaseEvent } from './release-event.entity.js';

/** Presents events of releases with their users: one statement for any number. */
@Injectable()
export class ReleaseHistoryPresenter {
  constructor(private readonly users: UsersService) {}

  async present(events: readonly ReleaseEvent[]): Promise<ReleaseEventDto[]> {
    const ids = new Set(events.flatMap(({ userId }) => userId ?? []));
    const users = ids.size === 0 ? [] : await this.users.getMany([...ids]);
    const references = new Map(users.map((user) => [user.id, toUserReferenceDto(user)]));
    return events.map((event) => toReleaseEventDto(event, references.get(event.userId ?? '') ?? null));
  }
}
