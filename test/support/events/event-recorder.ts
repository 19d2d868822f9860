import { createApp, type TestApp } from '../../builders/app.js';
import { createChannel } from '../../builders/channel.js';
import { createTenant, type Site } from '../../builders/identities.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { eventually } from '../eventually.js';
import { type EventValues, recordEvents } from './events.js';

/** Records events that no change has made, and wakes the dispatcher by a change in another organization. */
export class EventRecorder {
  private isPaused = false;

  private constructor(
    private readonly site: Site,
    private readonly app: TestApp,
    private readonly channelId: string,
  ) {}

  static async create(site: Site = testEnvironment()): Promise<EventRecorder> {
    const app = await createApp(await createTenant(site));
    return new EventRecorder(site, app, (await createChannel(app)).id);
  }

  /** Records events, and waits until they have positions. */
  async record(events: readonly EventValues[]): Promise<void> {
    await recordEvents(this.site, events);
    await this.wake();
    const organizationIds = events.map(({ organizationId }) => organizationId);
    await eventually(async () => {
      const waiting = await query(
        this.site.databaseUrl,
        'SELECT FROM events WHERE organization_id = ANY ($1) AND position IS NULL',
        [organizationIds],
      );
      expect(waiting).toEqual([]);
    });
  }

  private async wake(): Promise<void> {
    const action = this.isPaused ? 'resume' : 'pause';
    await this.app.api.post(`${this.app.path}/channels/${this.channelId}/${action}`);
    this.isPaused = !this.isPaused;
  }
}
