import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { WaitingCallers } from '../../accounts/auth/waiting-callers.service.js';
import { UsersService } from '../../accounts/users/users.service.js';
import { Caller } from '../../common/access/caller.decorator.js';
import type { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ScopedToApps } from '../../common/access/scoped-to-apps.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { NoStore } from '../../common/http/no-store.decorator.js';
import { logQuietly } from '../../common/logging/quiet-responses.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { cursorOf } from './cursor.js';
import { FeedDto, toEventDto, ReadFeedQuery } from './feed.dto.js';
import { FeedService } from './feed.service.js';

@ApiTags('Events')
@Controller('organizations/:organizationId/events')
export class FeedController {
  constructor(
    private readonly feed: FeedService,
    private readonly callers: WaitingCallers,
    private readonly users: UsersService,
  ) {}

  /**
   * Reads the events of an organization that the caller may see, in the order of their positions. Send the `cursor` of the
   * response with the next request. With `wait`, a request for which there are no events waits for some.
   */
  @Get()
  @Requires('events:read')
  @ScopedToApps()
  @NoStore()
  @ApiErrors('cursor_expired')
  async read(
    @IdParam('organizationId') id: string,
    @Caller() caller: Principal,
    @Query() query: ReadFeedQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FeedDto> {
    const organizationId = id.toLowerCase();
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    response.once('close', leave);
    if (response.closed) leave();
    const reader = { caller: this.callers.of(caller, request), organizationId };
    const { events, epoch, position, hasMore } = await this.feed.read(reader, query, gone.signal);
    response.off('close', leave);
    // Programs that wait send requests again and again.
    if (events.length === 0) logQuietly(response);
    return {
      events: events.map(toEventDto),
      cursor: cursorOf(organizationId, { epoch, position }),
      hasMore,
      ...(query.order === 'newest' && {
        users: [...(await this.users.referencesTo(events.map(({ userId }) => userId))).values()],
      }),
    };
  }
}
