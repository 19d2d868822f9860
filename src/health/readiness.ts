import { setTimeout } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, ServiceUnavailableException } from '@nestjs/common';
import { Config } from '../config/config.js';

/**
 * Whether the process wants requests. At shutdown it says no first, and goes on serving for as long as load balancers
 * need to notice; only then is the listener closed.
 */
@Injectable()
export class Readiness implements BeforeApplicationShutdown {
  private shuttingDown = false;

  constructor(private readonly config: Config) {}

  /** @throws ServiceUnavailableException during shutdown */
  assert(): void {
    if (this.shuttingDown) throw new ServiceUnavailableException();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.shuttingDown = true;
    await setTimeout(this.config.http.shutdownDelaySeconds * 1000);
  }
}
