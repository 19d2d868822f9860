import type { Type } from '@nestjs/common';
import type { FieldError } from '../errors/app-error.js';
import { documentedFields } from '../openapi/documented-fields.js';
import { validatedFields } from './validated-fields.js';
import { nearestField, distance, plainName } from './nearest-field.js';

/** Fields that limit who can use an object, or what a member can do. */
const limits = ['role', 'allowedRefs', 'protected', 'freezeWindows', 'requiredApprovals'].map(plainName);

/** Letters in which a misspelt name differs, at most. */
const MISSPELT = 2;

const RULE = Symbol('unknown fields');

/** Longest name that an error repeats. */
const MAX_SHOWN = 64;

/** Which unknown fields of a body are refused. */
interface Rule {
  /** The response of the object: clients send back what they got, and it is dropped. */
  readonly response: Type;
  /** Ids of the path, which clients repeat in the body. */
  readonly pathIds: readonly string[];
  readonly refuses: (name: string) => boolean;
}

/**
 * Refuses every unknown field of a body, other than those of the object's own response and the ids of the path. For
 * credentials: a limit with a wrong name would leave them without that limit.
 *
 * @param response the fullest response of the object
 * @param pathIds names of the ids in the path, where the response does not have them
 */
export function RefuseUnknownFields(response: Type, ...pathIds: string[]): ClassDecorator {
  return setRule({ response, pathIds, refuses: () => true });
}

/** As `RefuseUnknownFields`, but only what looks like a limit: other unknown fields are dropped. */
export function RefuseMisnamedLimits(response: Type): ClassDecorator {
  return setRule({ response, pathIds: [], refuses: looksLikeLimit });
}

/** The unknown fields that a body must not have, each with a sentence that names the nearest field. */
export function refusedFields(dto: Type | undefined, body: unknown): FieldError[] {
  const rule = dto && (Reflect.getOwnMetadata(RULE, dto) as Rule | undefined);
  if (rule === undefined || typeof body !== 'object' || body === null) return [];
  const fields = validatedFields(dto);
  const known = new Set([...fields, ...documentedFields(rule.response), ...rule.pathIds]);
  return Object.keys(body)
    .filter((name) => !known.has(name) && rule.refuses(name))
    .map((name) => name.slice(0, MAX_SHOWN))
    .map((name) => ({ field: name, message: sentenceOf(name, fields) }));
}

function setRule(rule: Rule): ClassDecorator {
  return (dto) => Reflect.defineMetadata(RULE, rule, dto);
}

function sentenceOf(name: string, fields: readonly string[]): string {
  const shown = JSON.stringify(name);
  const nearest = nearestField(name, fields);
  return nearest === undefined
    ? `${shown} is not a field of this request, which has ${fields.join(', ')}.`
    : `${shown} is not a field of this request: the nearest one is ${nearest}.`;
}

/** Whether a name could be meant as a limit: `scope(s)`, `expires…`, and what is almost the name of one. */
export function looksLikeLimit(name: string): boolean {
  const plain = plainName(name);
  if (/^(scopes?$|expires)/.test(plain)) return true;
  return limits.some(
    (limit) => Math.abs(plain.length - limit.length) <= MISSPELT && distance(plain, limit) <= MISSPELT,
  );
}
