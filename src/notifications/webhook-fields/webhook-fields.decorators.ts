import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, Matches } from 'class-validator';
import { Satisfies, IsTextThat } from '../../common/validation/satisfies.decorator.js';
import { uuidPattern } from '../../common/validation/uuid.js';
import { WithoutDoubles } from '../../common/validation/without-doubles.decorator.js';
import { MAX_SECRET_LENGTH, MIN_SECRET_LENGTH, signingSecretProblem } from './signing-secret.js';
import { headersProblem, MAX_HEADERS } from './webhook-headers.js';
import { MAX_URL_LENGTH, parseWebhookUrl } from './webhook-url.js';

/** Types of events of one webhook, at most. */
const MAX_EVENTS = 200;
/** Apps or channels of one filter, at most. */
const MAX_FILTER_IDS = 100;
const EVENT_TYPE = /^(?:\*|[a-z][a-z0-9_]{0,99})$/;

/** An address that a webhook may have; where it leads is checked by the service. */
export function IsWebhookUrl(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'string', format: 'uri', maxLength: MAX_URL_LENGTH }),
    IsTextThat(
      (text) => parseWebhookUrl(text) !== null,
      `$property must be an https address with a valid host and port, without credentials, fragment and spaces, of at most ${MAX_URL_LENGTH} characters.`,
    ),
  );
}

/** Types of events, or `*`; whether there are such is checked by the service. Doubles are dropped. */
export function IsEventTypes(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: [String], minItems: 1, maxItems: MAX_EVENTS, example: ['app_deployment_created'] }),
    WithoutDoubles(),
    IsArray({ message: '$property must be a list of types of events.' }),
    ArrayMinSize(1, { message: '$property must hold at least one type of events, or *.' }),
    ArrayMaxSize(MAX_EVENTS, { message: `$property must hold at most ${MAX_EVENTS} types of events.` }),
    Matches(EVENT_TYPE, {
      each: true,
      message: '$property must hold types of events such as job_finished, or *.',
    }),
  );
}

/** Custom headers. */
export function IsWebhookHeaders(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: 'object',
      additionalProperties: { type: 'string' },
      maxProperties: MAX_HEADERS,
      nullable: true,
      writeOnly: true,
    }),
    Satisfies(
      (value) => headersProblem(value) === null,
      ({ value }) => headersProblem(value) ?? '',
    ),
  );
}

/** A secret that signs deliveries. */
export function IsSigningSecret({ nullable = false } = {}): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: 'string',
      minLength: MIN_SECRET_LENGTH,
      maxLength: MAX_SECRET_LENGTH,
      writeOnly: true,
      ...(nullable ? { nullable } : {}),
    }),
    Satisfies(
      (value) => signingSecretProblem(value) === null,
      ({ value }) => signingSecretProblem(value) ?? '',
    ),
  );
}

/** Ids that events are filtered by. Doubles are dropped. @param what the objects, such as `apps` */
export function IsFilterIds(what: string): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'array', items: { type: 'string', format: 'uuid' }, maxItems: MAX_FILTER_IDS }),
    WithoutDoubles((value) => (typeof value === 'string' ? value.toLowerCase() : value)),
    IsArray({ message: `$property must be a list of ids of ${what}.` }),
    ArrayMaxSize(MAX_FILTER_IDS, { message: `$property must hold at most ${MAX_FILTER_IDS} ids.` }),
    Matches(uuidPattern, { each: true, message: '$property must hold UUIDs.' }),
  );
}
