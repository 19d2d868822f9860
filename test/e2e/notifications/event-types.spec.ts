import { Ajv2020 } from 'ajv/dist/2020.js';
import * as formats from 'ajv-formats';
import type { EventTypeDto } from '../../../src/notifications/event-types/event-type.dto.js';
import { createActor } from '../../builders/identities.js';

describe('event-types', () => {
  it('lists all kinds of events by type, each with what it is about and who may see it', async () => {
    const { api } = await createActor();
    const { status, body } = await api.get('/v1/event-types');
    expect(status).toBe(200);
    const types = (body as EventTypeDto[]).map(({ type }) => type);
    expect(types).toEqual([...types].sort());
    expect((body as EventTypeDto[]).find(({ type }) => type === 'job_finished')).toMatchObject({
      title: 'Job finished',
      of: 'app',
      permission: 'builds:read',
      severity: 'info',
      schema: { title: 'Job finished', $schema: 'https://json-schema.org/draft/2020-12/schema' },
    });
  });

  it('has a schema of each that stands alone and accepts no event of another type', async () => {
    const { api } = await createActor();
    const { body } = await api.get('/v1/event-types');
    for (const { type, schema } of body as EventTypeDto[]) {
      const ajv = new Ajv2020({ strict: false, allErrors: true });
      (formats.default as unknown as (ajv: Ajv2020) => void)(ajv);
      const validate = ajv.compile(schema);
      expect(validate({ event: 'another_type' })).toBe(false);
      const paths = validate.errors?.map(({ instancePath }) => instancePath);
      expect({ type, paths }).toEqual({ type, paths: expect.arrayContaining(['/event']) as string[] });
    }
  });
});
