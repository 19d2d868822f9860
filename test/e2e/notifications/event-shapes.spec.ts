import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as formats from 'ajv-formats';
import { v7 as uuid } from 'uuid';
import { dataOf, schemasOf } from '../../../scripts/docs/events/schema.js';
import { eventTypes } from '../../../src/event-types.js';
import type { DocumentWithEvents } from '../../../src/notifications/event-types/event-schemas.js';
import { createApp } from '../../builders/app.js';
import { createTenant } from '../../builders/identities.js';
import { createWebhook } from '../../builders/webhook.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { EventRecorder } from '../../support/events/event-recorder.js';
import { settleEvents } from '../../support/events/events.js';
import { type ReadEvent, readEvents } from '../../support/events/feed.js';
import { eventually } from '../../support/eventually.js';
import { WebhookReceiver } from '../../support/notifications/webhook-receiver.js';
import { asParent } from '../../support/resources/parents.js';
import { uniqueName } from '../../support/unique-name.js';

const root = join(import.meta.dirname, '../../..');
const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** Whether the test has recorded an event, and not the server. */
const isRecorded = ({ id }: { readonly id: string }): boolean => id[14] === '4';

/** Milliseconds: a webhook gets ten messages a second. */
const DELIVERED_WITHIN = 60_000;

it('has one shape for every kind, in the feed and in webhooks, which docs/events.schema.json describes', async () => {
  const receiver = await WebhookReceiver.start();
  try {
    const tenant = await createTenant();
    const { organizationId, owner } = tenant;
    const app = await createApp(tenant);
    await settleEvents(testEnvironment(), organizationId);
    const { cursor: start } = await readEvents(owner.api, organizationId, { start: 'latest' });
    const name = uniqueName('receiver');
    const types = eventTypes.map(({ type }) => type);
    await createWebhook(asParent(tenant), { url: receiver.url(name), events: types });

    const document = read('openapi.json') as DocumentWithEvents;
    const dataByType = Object.entries(document['x-webhooks'] ?? {}).map(([type, { post }]) => {
      return [type, dataOf(post, schemasOf(document)).example as object] as const;
    });
    const recorder = await EventRecorder.create();
    await recorder.record(
      eventTypes.map(({ type, of }) => ({
        organizationId,
        appId: of === 'app' ? app.id : null,
        type,
        objectId: uuid(),
        userId: owner.userId,
        data: Object.fromEntries(dataByType)[type] ?? {},
      })),
    );

    const recorded: ReadEvent[] = [];
    for (let cursor = start, hasMore = true; hasMore;) {
      const feed = await readEvents(owner.api, organizationId, { cursor, limit: 100 });
      recorded.push(...feed.events.filter(isRecorded));
      ({ cursor, hasMore } = feed);
    }
    expect(recorded.map(({ type }) => type)).toEqual(types);

    const messages = await eventually(() => {
      const bodies = receiver.of(name).map(({ body }) => JSON.parse(body) as ReadEvent & { event: string });
      const own = bodies.filter(isRecorded);
      expect(own).toHaveLength(types.length);
      return own;
    }, DELIVERED_WITHIN);
    expect(messages).toEqual(recorded.map((event) => ({ ...event, event: event.type })));
    expect(messages.map((message) => Object.keys(message).slice(0, 2))).toEqual(
      types.map(() => ['event', 'data']),
    );

    const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
    (formats.default as unknown as (ajv: Ajv2020) => void)(ajv);
    const schema = read('docs/events.schema.json') as object;
    const validate = ajv.compile(schema);
    const wrong = [...recorded, ...messages].flatMap((event) =>
      validate(event as unknown)
        ? []
        : [{ type: event.type, errors: ajv.errorsText(validate.errors).slice(0, 500) }],
    );
    expect(wrong).toEqual([]);
    const [message] = messages;
    for (const field of Object.keys(recorded[0] ?? {})) {
      expect({ field, isValid: validate({ ...message, [field]: undefined }) }).toEqual({
        field,
        isValid: false,
      });
    }
    expect(validate({ ...message, event: 'unknown' })).toBe(false);
  } finally {
    await receiver.stop();
  }
});
