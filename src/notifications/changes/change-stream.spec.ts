import { EventEmitter } from 'node:events';
import type { Response } from 'express';
import { jest } from '@jest/globals';
import type { FeedCaller } from '../feed/feed-access.service.js';
import { ChangeStream } from './change-stream.js';

const visibility = { types: new Set<string>(), appIds: null };
const hint = { appId: 'a', kind: 'app', id: 'a' } as const;

/** A response that a client reads, or not. */
class FakeResponse extends EventEmitter {
  text = '';
  headers: object = {};
  writableEnded = false;
  writableLength = 0;
  destroyed = false;
  isStalled = false;
  writeHead(_status: number, headers: object): void {
    this.headers = headers;
  }
  write(text: string): void {
    this.text += text;
    if (this.isStalled) this.writableLength += text.length;
  }
  end(): void {
    this.writableEnded = true;
    if (!this.isStalled) this.emit('close');
  }
  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

let response: FakeResponse;
let stream: ChangeStream;

beforeEach(() => {
  jest.useFakeTimers();
  response = new FakeResponse();
  stream = new ChangeStream({} as FeedCaller, response as unknown as Response, visibility);
});
afterEach(() => {
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

it('sends a comment every fifteen seconds, and ends after ten minutes', () => {
  stream.open();
  expect(response.text).toBe('retry: 2000\n\n');
  jest.advanceTimersByTime(30_000);
  expect(response.text).toBe('retry: 2000\n\n:\n\n:\n\n');
  stream.send(hint);
  expect(response.text).toMatch(/\n\ndata: \{"appId":"a","kind":"app","id":"a"\}\n\n$/);
  jest.advanceTimersByTime(569_999);
  expect(response.writableEnded).toBe(false);
  jest.advanceTimersByTime(1);
  expect(response.writableEnded).toBe(true);
});

it('sends nothing before it is open and after its end', () => {
  stream.send(hint);
  expect(response.text).toBe('');
  stream.open();
  stream.end();
  stream.send(hint);
  expect(response.text).toBe('retry: 2000\n\n');
});

it('ends as soon as it is open, where it had to end before', () => {
  stream.end();
  expect(response.writableEnded).toBe(false);
  stream.open();
  expect(response.text).toBe('retry: 2000\n\n');
  expect(response.writableEnded).toBe(true);
});

it('is cut when the client does not read', () => {
  response.isStalled = true;
  stream.open();
  for (let sent = 0; !response.destroyed; sent++) {
    expect(sent).toBeLessThan(2000);
    stream.send(hint);
  }
  expect(response.writableLength).toBeLessThan(70_000);
});

it('is cut when the client does not take its end', () => {
  response.isStalled = true;
  stream.open();
  stream.end();
  expect(response.destroyed).toBe(false);
  jest.advanceTimersByTime(10_000);
  expect(response.destroyed).toBe(true);
});
