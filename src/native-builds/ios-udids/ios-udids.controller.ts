import { Controller, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiProduces, ApiResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { TooLargeError } from '../../common/errors/app-error.js';
import { NoStore } from '../../common/http/no-store.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { publicUrl } from '../../common/request-origin/public-url.js';
import { Config } from '../../config/config.js';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import { UdidProfileQuery } from './udid-profile-query.dto.js';
import { UdidRequests } from './udid-requests.service.js';

/** Largest answer of a device: it has a few kilobytes. */
const MAX_BODY_BYTES = 64 * 1024;
const PROFILE = 'application/x-apple-aspen-config';
const ANSWER = 'application/pkcs7-signature';

@ApiTags('Builds')
@Controller('ios-udid-profile')
export class IosUdidsController {
  constructor(
    private readonly requests: UdidRequests,
    private readonly config: Config,
  ) {}

  /**
   * Makes a profile that asks an iPhone or iPad for its UDID: the identifier that provisioning profiles list. The device asks
   * its user, sends the answer to `POST …/receive`, and opens `callbackUrl` with the parameter `udid`. The profile works for
   * 15 minutes and installs nothing. Slipway neither stores nor logs the UDID.
   */
  @Get()
  @NoStore()
  @Public()
  @ApiProduces(PROFILE)
  @ApiOkResponse({ schema: { type: 'string' } })
  get(@Query() { callbackUrl }: UdidProfileQuery, @Req() request: Request, @Res() response: Response): void {
    const profile = this.requests.makeProfile(callbackUrl, publicUrl(this.config.http, request));
    response.set('Content-Disposition', 'attachment; filename=identify-device.mobileconfig');
    response.type(PROFILE).send(profile);
  }

  /** Receives the signed answer of a device, at most 64 KiB, and leads it to the page that asked. Devices call it. */
  @Post('receive')
  @HttpCode(301)
  @OwnTransactions()
  @NoStore()
  @Public()
  @ApiConsumes(ANSWER)
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  @ApiResponse({
    status: 301,
    description: 'Leads to the page that asked, with the parameter `udid`.',
    headers: { Location: { required: true, schema: { type: 'string', format: 'uri' } } },
  })
  @ApiErrors('certificate_reader_busy', 'too_large')
  async receive(@Req() request: Request, @Res() response: Response): Promise<void> {
    const body = await readBody(request);
    const address = await this.requests.receive(body, publicUrl(this.config.http, request));
    response.status(301).set('Location', address).end();
  }
}

async function readBody(request: Request): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MAX_BODY_BYTES) throw new TooLargeError('The answer of a device has at most 65,536 bytes.');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
