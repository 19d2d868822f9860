import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { InvalidRequestError } from '../errors/app-error.js';

const MAX_KEYS = 1000;
const MAX_VALUES = 20_000;
const MAX_DEPTH = 32;

/** Largest JSON bodies in bytes, by path; 0: they are not parsed. Anyone can create sessions, without a token. */
const LIMITS: readonly (readonly [path: RegExp, bytes: number])[] = [
  // The proof of a delivery is about the bytes.
  [/^\/v1\/git-events\//i, 0],
  [/^\/v1\/sessions(?![\w-])/i, 4 * 1024],
  [/^\/v1\/(tokens|users|invitations|organizations)(?![\w-])/i, 64 * 1024],
  [/^/, 1024 * 1024],
];

/** Largest JSON body of a path, in bytes. @param url path and query */
export function jsonLimitOf(url: string): number {
  return LIMITS.find(([path]) => path.test(url))?.[1] ?? 0;
}

/** Parses JSON bodies within the limits of their paths and of `assertBoundedBody`. */
export function useJsonBodies(app: NestExpressApplication): void {
  for (const [, limit] of LIMITS.filter(([, bytes]) => bytes > 0)) {
    const type = (request: unknown): boolean => {
      const { originalUrl } = request as Request;
      return jsonLimitOf(originalUrl) === limit && Boolean((request as Request).is('application/json'));
    };
    app.useBodyParser('json', { limit, type });
  }
  app.use((request: Request, _response: Response, next: NextFunction) => {
    assertBoundedBody(request.body);
    next();
  });
}

/**
 * Refuses bodies whose processing would take long: class-transformer compares the keys of an object with each other, and
 * recursive code needs stack. Reads no more of the body than the bounds allow.
 *
 * @throws InvalidRequestError for more than 1,000 keys in one object, 20,000 values in all, or 32 levels
 */
export function assertBoundedBody(body: unknown): void {
  let values = 1;
  let level: unknown[] = [body];
  for (let depth = 0; level.length > 0; depth++) {
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      if (depth === MAX_DEPTH) throw tooComplex('is nested more than 32 levels deep');
      const members: unknown[] = Array.isArray(value) ? value : Object.values(value);
      if (members.length > MAX_KEYS && !Array.isArray(value))
        throw tooComplex('has more than 1,000 keys in one object');
      values += members.length;
      if (values > MAX_VALUES) throw tooComplex('has more than 20,000 values');
      next.push(...members);
    }
    level = next;
  }
}

function tooComplex(how: string): InvalidRequestError {
  return new InvalidRequestError(`The body ${how}.`);
}
