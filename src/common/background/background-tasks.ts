import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { BackgroundTask } from './background-task.js';

/** Starts all background tasks in the order of their modules, and stops them in reverse. */
@Injectable()
export class BackgroundTasks implements OnApplicationShutdown {
  private readonly logger = new Logger(BackgroundTasks.name);
  private readonly started: BackgroundTask[] = [];

  constructor(private readonly discovery: DiscoveryService) {}

  /** @throws Error when a task cannot start */
  async start(): Promise<void> {
    const providers = this.discovery.getProviders().map(({ instance }) => instance as unknown);
    const tasks = new Set(providers.filter((provider) => provider instanceof BackgroundTask));
    for (const task of tasks) {
      this.started.push(task);
      await task.start();
    }
  }

  /** Nest calls this when no request is left, and before it closes the database. A task that fails is logged. */
  async onApplicationShutdown(): Promise<void> {
    for (const task of this.started.splice(0).reverse()) {
      try {
        await task.stop();
      } catch (err) {
        this.logger.error({ err }, `${task.constructor.name} failed to stop`);
      }
    }
  }
}
