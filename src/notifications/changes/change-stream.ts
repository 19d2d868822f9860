import type { Response } from 'express';
import type { FeedCaller } from '../feed/feed-access.service.js';
import type { Visibility } from '../feed/visibility.js';
import type { ChangeHintDto } from './change-hint.dto.js';

/** Milliseconds after which clients connect again. */
const RETRY = 2000;
/** Milliseconds between two comments, which keep proxies from cutting an idle stream. */
const COMMENTS = 15_000;
/** Milliseconds after which a stream ends, so that clients spread over all servers again. */
const LONGEST = 600_000;
/** Bytes that wait for a client that reads slowly or not at all. */
const MAX_BACKLOG = 65_536;
/** Milliseconds after which the connection of a client is cut that does not take the end. */
const PATIENCE = 10_000;

/** A response of Server-Sent Events that is open. */
export class ChangeStream {
  private isOpen = false;
  private isOver = false;

  constructor(
    readonly feedCaller: FeedCaller,
    private readonly response: Response,
    /** What the caller could see when it was checked last. */
    public visibility: Visibility,
  ) {}

  /** Begins the response. From now on, hints are sent. */
  open(): void {
    this.response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      // nginx would collect the hints.
      'X-Accel-Buffering': 'no',
    });
    this.response.write(`retry: ${RETRY}\n\n`);
    this.isOpen = true;
    const comments = setInterval(() => this.write(':\n\n'), COMMENTS);
    const end = setTimeout(() => this.end(), LONGEST);
    this.response.once('close', () => {
      clearInterval(comments);
      clearTimeout(end);
    });
    if (this.isOver) this.end();
  }

  /** Does nothing before `open`: the client reads afterwards what it shows. */
  send(hint: ChangeHintDto): void {
    this.write(`data: ${JSON.stringify(hint)}\n\n`);
  }

  /** Ends the response, as soon as it is open: the client connects again. */
  end(): void {
    this.isOver = true;
    if (!this.isOpen || this.response.writableEnded) return;
    const cut = setTimeout(() => this.response.destroy(), PATIENCE);
    this.response.once('close', () => clearTimeout(cut));
    this.response.end();
  }

  private write(text: string): void {
    if (!this.isOpen || this.response.writableEnded) return;
    this.response.write(text);
    if (this.response.writableLength > MAX_BACKLOG) this.response.destroy();
  }
}
