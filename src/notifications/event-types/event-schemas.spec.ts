import { Ajv2020 } from 'ajv/dist/2020.js';
import { eventSchemas, jsonSchema, schemaOfEvents } from './event-schemas.js';

const document = {
  'x-webhooks': {
    app_built: {
      post: {
        summary: 'Built',
        description: 'Something was built.',
        'x-of': 'app',
        'x-permission': 'builds:read',
        'x-severity': 'info',
        requestBody: {
          content: {
            'application/json': {
              schema: {
                required: ['event'],
                allOf: [
                  {
                    type: 'object',
                    required: ['type', 'data'],
                    properties: {
                      event: { type: 'string', enum: ['app_built'] },
                      type: { type: 'string', enum: ['app_built'] },
                      data: { $ref: '#/components/schemas/Build' },
                    },
                  },
                ],
              },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Build: {
        type: 'object',
        required: ['status'],
        properties: { status: { nullable: true, allOf: [{ $ref: '#/components/schemas/Status' }] } },
      },
      Status: { type: 'string', enum: ['done'] },
      Other: { type: 'string' },
    },
  },
};

it('describes each kind of event with the parts that it needs', () => {
  const schema = eventSchemas(document).get('app_built') as { $defs: object };
  expect(Object.keys(schema.$defs)).toEqual(['Build', 'Status']);
  const validate = new Ajv2020({ strict: true }).compile(schema);
  expect(validate({ type: 'app_built', data: { status: 'done' } })).toBe(true);
  expect(validate({ event: 'app_built', type: 'app_built', data: { status: null } })).toBe(true);
  expect(validate({ event: 'app_bought', type: 'app_built', data: { status: null } })).toBe(false);
  expect(validate({ event: 'app_built', data: { status: 'done' } })).toBe(false);
  expect(validate({ type: 'app_built', data: { status: 'failed' } })).toBe(false);
  expect(validate({ type: 'app_bought', data: { status: 'done' } })).toBe(false);
  expect(validate({ type: 'app_built', data: {} })).toBe(false);
});

it('describes all kinds of events in one schema', () => {
  const validate = new Ajv2020({ strict: true }).compile(schemaOfEvents(document));
  expect(validate({ type: 'app_built', data: { status: 'done' } })).toBe(true);
  expect(validate({ type: 'unknown', data: { status: 'done' } })).toBe(false);
});

it.each([
  [
    { type: 'string', nullable: true, description: 'A name.' },
    { type: ['string', 'null'], description: 'A name.' },
  ],
  [
    { type: 'string', enum: ['a', null], nullable: true },
    { type: ['string', 'null'], enum: ['a', null] },
  ],
  [
    { nullable: true, description: 'One.', allOf: [{ $ref: '#/components/schemas/One' }] },
    { description: 'One.', anyOf: [{ allOf: [{ $ref: '#/$defs/One' }] }, { type: 'null' }] },
  ],
  [
    { nullable: true, type: 'object', allOf: [{ $ref: '#/components/schemas/One' }] },
    { anyOf: [{ type: 'object', allOf: [{ $ref: '#/$defs/One' }] }, { type: 'null' }] },
  ],
  [
    { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 1, exclusiveMaximum: false },
    { type: 'number', exclusiveMinimum: 0, maximum: 1 },
  ],
  [
    { type: 'string', example: 'a', 'x-hidden': true },
    { type: 'string', examples: ['a'] },
  ],
  [
    {
      type: 'object',
      properties: { example: { type: 'string' }, 'x-y': { type: 'object', nullable: true } },
    },
    { type: 'object', properties: { example: { type: 'string' }, 'x-y': { type: ['object', 'null'] } } },
  ],
  [
    { type: 'object', example: { $ref: '#/components/schemas/One' } },
    { type: 'object', examples: [{ $ref: '#/components/schemas/One' }] },
  ],
])('converts %j', (schema, expected) => {
  expect(jsonSchema(schema)).toEqual(expected);
});
