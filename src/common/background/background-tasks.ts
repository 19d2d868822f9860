import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { BackgroundTask } from './background-task.js';
import { orAfter } from './or-after.js';

/** Milliseconds after which a task that is still stopping does not hold up the next one. */
const PATIENCE = 3000;
/** Milliseconds for all of them. */
const STOPPED_WITHIN = 20_000;

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

  /**
   * Nest calls this when no request is left, and before it closes the database. A task that fails is logged, and so is
   * one that has not stopped when the timeout expires.
   */
  async onApplicationShutdown(): Promise<void> {
    const deadline = performance.now() + STOPPED_WITHIN;
    const stops: { readonly name: string; readonly end: Promise<boolean> }[] = [];
    for (const task of this.started.splice(0).reverse()) {
      const end = this.stop(task).then(() => true);
      stops.push({ name: task.constructor.name, end });
      await orAfter(end, PATIENCE, false);
    }
    for (const { name, end } of stops) {
      if (!(await orAfter(end, Math.max(0, deadline - performance.now()), false)))
        this.logger.error(`${name} did not stop in time`);
    }
  }

  private async stop(task: BackgroundTask): Promise<void> {
    try {
      await task.stop();
    } catch (err) {
      this.logger.error({ err }, `${task.constructor.name} failed to stop`);
    }
  }
}
