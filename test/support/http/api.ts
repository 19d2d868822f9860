import { Agent, type IncomingMessage } from 'node:http';
import superagent from 'superagent';
import supertest, { type Response } from 'supertest';
import { expectOpenApi } from './expect-openapi.js';

const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());

/** A stream does not end: its beginning is the response, and the client leaves. */
superagent.parse['text/event-stream'] = (response, done) => {
  const stream = response as unknown as IncomingMessage;
  stream.once('data', (beginning: Buffer) => {
    response.text = beginning.toString();
    done(null, {} as Response);
    stream.destroy();
  });
};

/** Calls the API as one actor, and checks every answer against the OpenAPI document. */
export class Api {
  /** @param token `null`: without token */
  constructor(
    readonly origin: string,
    readonly token: string | null,
  ) {}

  get(path: string): Promise<Response> {
    return this.send('get', path);
  }

  post(path: string, body?: object): Promise<Response> {
    return this.send('post', path, body);
  }

  put(path: string, body?: object): Promise<Response> {
    return this.send('put', path, body);
  }

  patch(path: string, body?: object): Promise<Response> {
    return this.send('patch', path, body);
  }

  delete(path: string): Promise<Response> {
    return this.send('delete', path);
  }

  /** A request to shape by hand: other headers, multipart, raw bodies. */
  request(method: 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete', path: string): supertest.Test {
    const request = supertest(this.origin)[method](path).agent(agent);
    return this.token === null ? request : request.set('Authorization', `Bearer ${this.token}`);
  }

  private async send(
    method: 'get' | 'post' | 'put' | 'patch' | 'delete',
    path: string,
    body?: object,
  ): Promise<Response> {
    const request = this.request(method, path);
    const response = await (body === undefined ? request : request.send(body));
    expectOpenApi(method, path, response);
    return response;
  }
}
