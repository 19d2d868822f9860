import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Response } from 'express';
import { Shutdown } from '../../health/shutdown.js';
import { type FeedCaller, FeedAccessService } from '../feed/feed-access.service.js';
import { ChangePump } from './change-pump.js';
import { ChangeStream } from './change-stream.js';

/** Opens streams of changes. */
@Injectable()
export class ChangesService implements OnModuleInit {
  constructor(
    private readonly access: FeedAccessService,
    private readonly pump: ChangePump,
    private readonly shutdown: Shutdown,
  ) {}

  onModuleInit(): void {
    this.shutdown.signal.addEventListener('abort', () => this.pump.endAll());
  }

  /**
   * Responds with what changes from now on, until the client leaves, ten minutes are over, the caller may no longer read
   * events, or the process stops.
   *
   * @throws AppError 429: as many streams are open as may
   * @throws NotFoundError when the caller is no longer a member
   */
  async open(caller: FeedCaller, response: Response): Promise<void> {
    const stream = new ChangeStream(caller, response, await this.access.visibilityOf(caller));
    this.pump.streams.join(stream);
    const leave = (): void => this.pump.leave(stream);
    response.once('close', leave);
    try {
      await this.pump.follow(caller.organizationId);
    } catch (error) {
      leave();
      throw error;
    }
    if (response.closed) return leave();
    stream.open();
    if (this.shutdown.hasBegun || response.req.method === 'HEAD') stream.end();
  }
}
