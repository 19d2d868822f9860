import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as formats from 'ajv-formats';
import { query } from './databases.ts';

/** An event as it is stored, with what stands beside its data. */
interface CheckedEvent extends Record<string, unknown> {
  readonly id: string;
  readonly type: string;
  readonly data: object;
}

interface Schema {
  readonly $defs: Readonly<Record<string, object>>;
}

const MAX_BYTES = 65_536;
const EMAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/;
/** The server makes UUIDs of version 7. Tests that write events themselves give them others. */
const BY_SERVER = /^.{14}7/;
/** As many events as a long simulation makes. */
const LIMIT = 50_000;

/**
 * What is wrong with the events that servers recorded in a database: each must have a type of docs/events.schema.json and the
 * data of its schema, no other fields, no e-mail addresses, and at most 64 kB.
 */
export async function problemsOfEvents(databaseUrl: string): Promise<string[]> {
  const events = await query<CheckedEvent>(
    databaseUrl,
    `SELECT id, type, data, to_jsonb(created_at) AS "createdAt", organization_id AS "organizationId",
            app_id AS "appId", object_id AS "objectId", channel_id AS "channelId", user_id AS "userId", epoch,
            COALESCE(position, 1)::int AS position
       FROM events ORDER BY serial LIMIT ${LIMIT}`,
  );
  const checks = new EventChecks();
  return events.filter(({ id }) => BY_SERVER.test(id)).flatMap((event) => checks.problemOf(event) ?? []);
}

class EventChecks {
  private readonly schema = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../docs/events.schema.json'), 'utf8'),
    closed,
  ) as Schema;
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor() {
    (formats.default as unknown as (ajv: Ajv2020) => void)(this.ajv);
    this.ajv.addSchema({ ...this.schema, $id: 'events' });
  }

  problemOf(event: CheckedEvent): string | null {
    if (!(event.type in this.schema.$defs)) return `${event.type} is in no *.events.ts file.`;
    const text = JSON.stringify(event);
    const problem = this.problemIn(event, text);
    return problem && `${event.type} ${problem}: ${text.slice(0, 2000)}`;
  }

  private problemIn(event: CheckedEvent, text: string): string | null {
    if (Buffer.byteLength(text) > MAX_BYTES) return 'has more than 64 kB';
    const [email] = EMAIL.exec(JSON.stringify(event.data)) ?? [];
    if (email !== undefined) return `contains the e-mail address ${email}`;
    const validate = this.validatorOf(event.type);
    return validate(event) ? null : `does not fit its schema (${this.ajv.errorsText(validate.errors)})`;
  }

  private validatorOf(type: string): ValidateFunction {
    let validate = this.compiled.get(type);
    if (validate === undefined) {
      validate = this.ajv.compile({ $ref: `events#/$defs/${type}` });
      this.compiled.set(type, validate);
    }
    return validate;
  }
}

/** What the schema does not name is not allowed here: readers of the documents could not know it. */
function closed(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('properties' in value) || !('type' in value))
    return value;
  const isPart = isPartOfEvent(value.properties);
  return isPart ? value : { ...value, unevaluatedProperties: false };
}

/** Whether it is one of the two parts of an event, each of which lacks the fields of the other. */
function isPartOfEvent(properties: unknown): boolean {
  const names = Object.keys(properties as object);
  return names.join() === 'event,type,data' || (names.includes('position') && names.includes('createdAt'));
}
