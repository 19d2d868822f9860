import { Injectable, Logger } from '@nestjs/common';
import { BackgroundTask } from '../../common/background/background-task.js';
import { UseRestrictionsQueries } from './use-restrictions.queries.js';

/** Logs at the start what may be limited otherwise than it looks: patterns that do not say that they mean branches. */
@Injectable()
export class UnqualifiedPatternsTask extends BackgroundTask {
  private readonly logger = new Logger(UnqualifiedPatternsTask.name);

  constructor(private readonly queries: UseRestrictionsQueries) {
    super();
  }

  override async start(): Promise<void> {
    for (const { type, id, appId, name, patterns } of await this.queries.unqualifiedPatterns()) {
      this.logger.log(
        { type, id, appId, name, patterns },
        `The patterns in allowedRefs of the ${type} ${name} mean branches only: begin them with refs/heads/, or with refs/tags/ for tags`,
      );
    }
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }
}
