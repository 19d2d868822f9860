import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import type { SubmissionRequest } from './submission-request.entity.js';

/**
 * A call of a store for a submission. Secrets and e-mail addresses are masked with `***`. Control characters and those that
 * change the direction of text are replaced by U+FFFD, so that texts are safe in a terminal.
 */
export class SubmissionRequestDto {
  @ApiId()
  id!: string;

  /** The deployment whose submission, or change of its release, has made the call. */
  @ApiId()
  appDeploymentId!: string;

  /** @example 'POST' */
  method!: string;

  /**
   * The address, without its query where that gives access, as for uploads.
   * @example 'https://androidpublisher.googleapis.com/androidpublisher/v3/applications/com.example.app/edits'
   */
  url!: string;

  /**
   * Those that cannot contain secrets.
   * @example { "content-type": "application/json" }
   */
  requestHeaders!: Record<string, string>;

  /**
   * At most 16 kB; `null`: none, or no text.
   * @example '{}'
   */
  requestBody!: string | null;

  /**
   * The status of the response; `null`: there was none, and `error` says why.
   * @example 200
   */
  status!: number | null;

  /**
   * As `requestHeaders`.
   * @example { "content-type": "application/json; charset=UTF-8" }
   */
  responseHeaders!: Record<string, string>;

  /**
   * At most 16 kB; `null`: none, or no text.
   * @example '{"id":"01234567890123456789","expiryTimeSeconds":"1795600000"}'
   */
  responseBody!: string | null;

  /**
   * How long the call took, in milliseconds.
   * @example 412
   */
  milliseconds!: number;

  /**
   * Why there was no response.
   * @example null
   */
  error!: string | null;

  /** When the call ended. */
  @ApiTime()
  createdAt!: string;
}

/** The response for a call. @param appDeploymentId whose submission, or change of its release, has made it */
export function toSubmissionRequestDto(
  request: SubmissionRequest,
  appDeploymentId: string,
): SubmissionRequestDto {
  return {
    id: request.id,
    appDeploymentId,
    method: request.method,
    url: printable(request.url),
    requestHeaders: printableHeaders(request.requestHeaders),
    requestBody: request.requestBody && printable(request.requestBody),
    status: request.status,
    responseHeaders: printableHeaders(request.responseHeaders),
    responseBody: request.responseBody && printable(request.responseBody),
    milliseconds: request.milliseconds,
    error: request.error && printable(request.error),
    createdAt: request.createdAt.toISOString(),
  };
}

/** What terminals take for commands, and what turns the text around it, but no tabs and line ends. */
const UNPRINTABLE = /(?![\t\n\r])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, '\uFFFD');
}

function printableHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, printable(value)]));
}
