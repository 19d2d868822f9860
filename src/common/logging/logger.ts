import type { LoggerService } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Logger, pino } from 'pino';
import { type HttpLogger, pinoHttp } from 'pino-http';
import type { PrettyOptions } from 'pino-pretty';
import type { LogConfig } from '../../config/groups/log-config.js';
import { isQuiet } from './quiet-responses.js';
import { requestIdOf } from '../http/request-id.middleware.js';

/** Makes the process's logger: JSON lines on standard output, or readable lines in a terminal. */
export function createLogger(config: Pick<LogConfig, 'level' | 'pretty'>): Logger {
  return pino({
    level: config.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    ...(config.pretty
      ? { transport: { target: 'pino-pretty', options: terminalOptions(config.level) } }
      : {}),
  });
}

/** How lines look in a terminal: what their message says already, and ids, are left out unless someone debugs. */
export function terminalOptions(
  level: string,
): Pick<PrettyOptions, 'ignore' | 'translateTime' | 'singleLine'> {
  const isDebugging = level === 'debug' || level === 'trace';
  return {
    ignore: isDebugging ? 'pid,hostname' : 'pid,hostname,context,requestId,req,res,responseTime',
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
  };
}

/** Parts of the framework that log every module and route at the start. */
const wordy = new Set<unknown>([
  'InstanceLoader',
  'NestApplication',
  'NestFactory',
  'RouterExplorer',
  'RoutesResolver',
]);

/** Lets Nest and the services, which log through Nest's `Logger`, write to pino. */
export class PinoLoggerService implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write(wordy.has(rest.at(-1)) ? 'debug' : 'info', message, rest);
  }
  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }
  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }
  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }
  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  /** Nest appends the name of the logging class; texts before it (a stack, a message) are kept. */
  private write(
    level: 'info' | 'error' | 'warn' | 'debug' | 'trace',
    message: unknown,
    rest: unknown[],
  ): void {
    const context = rest.pop();
    const details = rest.filter((part) => part !== undefined);
    if (message instanceof Error) {
      this.logger[level]({ context, err: message }, message.message);
    } else if (typeof message === 'object' && message !== null) {
      this.logger[level]({ context, ...message }, details.join(' '));
    } else {
      this.logger[level]({ context }, [message, ...details].join(' '));
    }
  }
}

/**
 * One line per finished request. Nothing that could hold a secret or a person is written: no headers, no body, and
 * of the address only the path, because queries carry device ids and signatures.
 */
export function requestLog(
  logger: Logger,
  { pretty }: Pick<LogConfig, 'pretty'>,
): HttpLogger<Request, Response> {
  return pinoHttp<Request, Response>({
    logger,
    ...(pretty ? { customSuccessMessage: summaryOf, customErrorMessage: summaryOfFailure } : {}),
    genReqId: (request) => requestIdOf(request),
    quietReqLogger: true,
    customAttributeKeys: { reqId: 'requestId' },
    autoLogging: { ignore: (request) => request.originalUrl.startsWith('/health/') },
    customLogLevel: (_request, response, error) => {
      if (isQuiet(response)) return 'debug';
      return error || response.statusCode >= 500 ? 'error' : 'info';
    },
    wrapSerializers: false,
    serializers: {
      req: (request: Request) => ({ method: request.method, path: pathOf(request) }),
      res: (response: Response) => ({ status: response.statusCode }),
      err: pino.stdSerializers.err,
    },
  });
}

/** Such as `GET /v1/apps 200 12 ms`. */
function summaryOf(request: Request, response: Response, milliseconds: number): string {
  const status = response.headersSent ? response.statusCode : 'aborted';
  return `${request.method} ${pathOf(request)} ${status} ${Math.round(milliseconds)} ms`;
}

/** pino-http passes no time with a failure. */
function summaryOfFailure(request: Request, response: Response): string {
  return `${request.method} ${pathOf(request)} ${response.statusCode}`;
}

function pathOf(request: Request): string {
  return request.originalUrl.split('?', 1)[0] ?? '';
}
