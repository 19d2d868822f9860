import { connect, type Socket } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
/** Where the three digits of the status stand: behind `HTTP/1.1 `. */
const STATUS = 9;

/**
 * One connection that sends prepared requests, one at a time, and reads no more of an answer than its status and its
 * length: a full HTTP client would be the bottleneck.
 */
export class Connection {
  /** When its request was sent or due, by `performance.now()`; `null`: it is free. */
  private begun: number | null = null;
  private rest: Buffer | null = null;
  private socket: Socket | null = null;
  private readonly target: { host: string; port: number };
  private readonly onAnswer: (connection: Connection, status: string, milliseconds: number) => void;

  /** @param onAnswer gets the status, or `error`, and the time that it took */
  constructor(
    origin: string,
    onAnswer: (connection: Connection, status: string, milliseconds: number) => void,
  ) {
    const { hostname, port } = new URL(origin);
    this.target = { host: hostname, port: Number(port) };
    this.onAnswer = onAnswer;
  }

  /** @param begun when the request was due */
  send(request: Buffer, begun: number): void {
    this.begun = begun;
    this.socket ??= this.open();
    this.socket.write(request);
  }

  close(): void {
    this.begun = null;
    this.socket?.destroy();
  }

  private open(): Socket {
    const buffer = Buffer.allocUnsafe(16 * 1024);
    const callback = (length: number): boolean => {
      this.read(buffer.subarray(0, length));
      return true;
    };
    const socket = connect({ ...this.target, noDelay: true, onread: { buffer, callback } });
    // An idle server may close; what was asked meanwhile is lost.
    return socket
      .on('error', () => undefined)
      .on('close', () => {
        this.socket = null;
        this.rest = null;
        this.finish('error');
      });
  }

  private read(chunk: Buffer): void {
    const bytes = this.rest === null ? chunk : Buffer.concat([this.rest, chunk]);
    const headEnd = bytes.indexOf(HEAD_END);
    const head = headEnd === -1 ? '' : bytes.toString('latin1', 0, headEnd);
    const length = /content-length: (\d+)/i.exec(head)?.[1];
    if (headEnd === -1 || bytes.length < headEnd + HEAD_END.length + Number(length)) {
      // The buffer is written to again.
      this.rest = Buffer.from(bytes);
      return;
    }
    this.rest = null;
    this.finish(length === undefined ? 'error' : head.slice(STATUS, STATUS + 3));
  }

  private finish(status: string): void {
    if (this.begun === null) return;
    const milliseconds = performance.now() - this.begun;
    this.begun = null;
    this.onAnswer(this, status, milliseconds);
  }
}
