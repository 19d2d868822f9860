import type { IncomingMessage } from 'node:http';
import { LocalServer } from './local-server.js';

/** A request that the server got. */
export interface RestRequest {
  /** With query. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
}

/** An answer that is not 200 with JSON. */
export class CannedResponse {
  constructor(
    readonly status: number,
    readonly body = '',
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

/** The answers of an API by path, each JSON, an `CannedResponse`, or a function of the query that returns one of them. */
export type RestRoutes = Readonly<Record<string, unknown>>;

/** A local server that answers as the documentation of an API says. What it does not know is 404. */
export class RestServer {
  readonly requests: RestRequest[] = [];

  private constructor(
    private readonly server: LocalServer,
    public routes: RestRoutes,
  ) {}

  /** @param authorization the only header that it accepts; `null`: any; others get 401 */
  static async start(routes: RestRoutes, authorization: string | null = null): Promise<RestServer> {
    const server = await LocalServer.start((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
      rest.requests.push({ url: request.url ?? '', headers: request.headers });
      const route = rest.routes[pathname] ?? new CannedResponse(404, '{"message":"Not Found"}');
      const value: unknown =
        typeof route === 'function' ? (route as (query: URLSearchParams) => unknown)(searchParams) : route;
      const isAllowed = authorization === null || request.headers.authorization === authorization;
      const answer = !isAllowed
        ? new CannedResponse(401, '{"message":"Bad credentials"}')
        : value instanceof CannedResponse
          ? value
          : new CannedResponse(200, JSON.stringify(value));
      response
        .writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
        .end(answer.body);
    });
    const rest = new RestServer(server, routes);
    return rest;
  }

  get origin(): string {
    return this.server.origin;
  }

  /** The paths and queries of all requests so far. */
  get urls(): string[] {
    return this.requests.map(({ url }) => url);
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}
