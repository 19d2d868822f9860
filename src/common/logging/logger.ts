import type { LoggerService } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Logger, pino } from 'pino';
import { type HttpLogger, pinoHttp } from 'pino-http';
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
      ? {
          transport: {
            target: 'pino-pretty',
            options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss', singleLine: true },
          },
        }
      : {}),
  });
}

/** Parts of the framework that log every module and route at the start. */
const wordy = new Set<unknown>(['InstanceLoader', 'RoutesResolver', 'RouterExplorer']);

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
export function requestLog(logger: Logger): HttpLogger<Request, Response> {
  return pinoHttp<Request, Response>({
    logger,
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
      req: (request: Request) => ({ method: request.method, path: request.originalUrl.split('?', 1)[0] }),
      res: (response: Response) => ({ status: response.statusCode }),
      err: pino.stdSerializers.err,
    },
  });
}
