import crypto from 'node:crypto';
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';

/*
 * Loaded into a server before its program (`--import`): counts what its update checks do while they are answered, and prints
 * it for each SIGUSR2. What the server does at other times does not count.
 */
const none = { checks: 0, answeredAtOnce: 0, defineProperty: 0, hashes: 0 };
let counts = { ...none };
let isChecking = false;

const { defineProperty } = Object;
Object.defineProperty = (...args) => {
  if (isChecking) counts.defineProperty++;
  return defineProperty(...args);
};

const { hash } = crypto;
crypto.hash = (...args) => {
  if (isChecking) counts.hashes++;
  return hash(...args);
};
syncBuiltinESMExports();

const { emit } = http.Server.prototype;
http.Server.prototype.emit = function (event, request, response) {
  if (event !== 'request' || !request.url.includes('/bundles/latest')) return emit.apply(this, arguments);
  counts.checks++;
  isChecking = true;
  try {
    return emit.apply(this, arguments);
  } finally {
    isChecking = false;
    if (response.writableEnded) counts.answeredAtOnce++;
  }
};

process.on('SIGUSR2', () => {
  process.stdout.write(`${JSON.stringify({ counts })}\n`);
  counts = { ...none };
});
