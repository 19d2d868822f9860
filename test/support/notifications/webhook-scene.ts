import { randomUUID } from 'node:crypto';
import { createApp, type TestApp } from '../../builders/app.js';
import { createTenant, type Tenant } from '../../builders/identities.js';
import { createWebhook, type TestWebhook } from '../../builders/webhook.js';
import { recordEvents } from '../events/events.js';
import { eventually } from '../eventually.js';
import { Api } from '../http/api.js';
import type { OwnSite } from '../servers/own-site.js';
import { uniqueName } from '../unique-name.js';
import { passTime, untilRun } from './webhook-clock.js';
import { type Behaviour, behaviours, type WebhookReceiver } from './webhook-receiver.js';

/** A delivery as the API shows it. */
export interface ShownDelivery {
  readonly id: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly status: string;
  readonly reason: string | null;
  readonly setAside: boolean;
  readonly attemptCount: number;
}

/** The status for an event; by default 200. */
export type Statuses = (event: string, type: string) => number | undefined;

/** An app with one webhook, whose receiver responds as the test says, and events with short names. */
export class WebhookScene {
  private readonly names = new Map<string, string>();
  private readonly ids = new Map<string, string>();

  private constructor(
    private readonly site: OwnSite,
    private readonly receiver: WebhookReceiver,
    readonly tenant: Tenant,
    readonly app: TestApp,
    readonly api: Api,
    private readonly name: string,
    public webhook: TestWebhook,
  ) {}

  static async create(site: OwnSite, receiver: WebhookReceiver, values: object = {}): Promise<WebhookScene> {
    const tenant = await createTenant(site);
    const app = await createApp(tenant);
    const api = new Api(site.origin, app.api.token);
    const name = uniqueName('receiver');
    const webhook = await createWebhook(app, { url: receiver.url(name), ...values });
    return new WebhookScene(site, receiver, tenant, app, api, name, webhook);
  }

  /** From now on. */
  respond(statusOf: Statuses): void {
    this.behave((response, request) => {
      const event = this.names.get(String(request.headers['webhook-id'])) ?? 'unknown';
      const type = String(request.headers['x-capawesome-event']);
      return behaviours.status(statusOf(event, type) ?? 200)(response, request);
    });
  }

  /** From now on, whatever the event is. */
  behave(behaviour: Behaviour): void {
    this.receiver.change(this.name, behaviour);
  }

  /** Events happen, in this order. Their names begin with that of their object, a capital letter. */
  async happen(names: readonly string[], typeOf: (name: string) => string = () => 'app_channel_paused') {
    const event = { organizationId: this.tenant.organizationId, appId: this.app.id };
    await recordEvents(
      this.site,
      names.map((name) => {
        const id = randomUUID();
        this.names.set(id, name);
        return { ...event, id, objectId: this.objectOf(name), type: typeOf(name) };
      }),
    );
  }

  objectOf(name: string): string {
    const object = name.slice(0, 1);
    const id = this.ids.get(object) ?? randomUUID();
    this.ids.set(object, id);
    return id;
  }

  /** Names of the events that the receiver got, in the order of arrival. */
  get arrivals(): string[] {
    return this.receiver.idsOf(this.name).map((id) => this.names.get(id) ?? 'unknown');
  }

  /** Waits until the receiver has got exactly these. */
  async arrived(...names: string[]): Promise<void> {
    await eventually(() => expect(this.arrivals.join(' ')).toBe(names.join(' ')));
  }

  /** The deliveries by the names of their events. */
  async deliveries(): Promise<Map<string, ShownDelivery>> {
    const { body } = await this.api.get(`${this.webhook.path}/deliveries?limit=100`);
    return new Map((body as ShownDelivery[]).map((shown) => [this.names.get(shown.eventId) ?? '', shown]));
  }

  async delivery(name: string): Promise<ShownDelivery> {
    const found = (await this.deliveries()).get(name);
    if (found === undefined) throw new Error(`There is no delivery of ${name}.`);
    return found;
  }

  /** Waits until the deliveries have these states: `pending`, `aside` (pending, and set aside), `succeeded`, … */
  async become(states: Readonly<Record<string, string>>): Promise<void> {
    await eventually(async () => {
      const shown = [...(await this.deliveries())].map(([name, { status, setAside }]) => [
        name,
        setAside ? 'aside' : status,
      ]);
      expect(Object.fromEntries(shown)).toEqual(states);
    });
  }

  /** Milliseconds until the next run; `null`: none is planned. */
  untilRun(): Promise<number | null> {
    return untilRun(this.site.databaseUrl, this.webhook.id);
  }

  /** Lets time pass until the next run. @returns how much, in milliseconds */
  async untilNext(): Promise<number> {
    const wait = await eventually(async () => {
      const found = await this.untilRun();
      expect(found).toBeGreaterThan(0);
      return found as number;
    });
    await this.pass(wait);
    return wait;
  }

  /** Lets time pass until the receiver is called, also when runs before that only report it. @returns how much */
  async nextAttempt(): Promise<number> {
    const before = this.arrivals.length;
    for (let passed = 0; ;) {
      passed += await this.untilNext();
      await eventually(async () => {
        const wait = await this.untilRun();
        expect(wait === null || wait > 0 || this.arrivals.length > before).toBe(true);
      });
      if (this.arrivals.length > before) return passed;
    }
  }

  pass(milliseconds: number): Promise<void> {
    return passTime(this.site.databaseUrl, this.webhook.id, milliseconds);
  }

  /** A delivery of it is asked for. */
  ask(name: string, action: 'redeliver' | 'skip', body?: object) {
    return this.delivery(name).then(({ id }) =>
      this.api.post(`${this.webhook.path}/deliveries/${id}/${action}`, body),
    );
  }

  /** Events about the webhook itself. */
  async ownEvents(): Promise<string[]> {
    const rows = await this.site.query<{ type: string }>(
      'SELECT type FROM events WHERE object_id = $1 ORDER BY serial',
      [this.webhook.id],
    );
    return rows.map(({ type }) => type);
  }
}
