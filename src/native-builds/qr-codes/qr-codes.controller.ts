import { hash } from 'node:crypto';
import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../../common/access/requires.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { makeQrPng } from './qr-code.js';
import { QrCodeQuery } from './qr-code-query.dto.js';

@ApiTags('Builds')
@Controller('qrcodes')
export class QrCodesController {
  /** Makes a QR code of a text, such as the address of a shared build. */
  @Get()
  @Public()
  @ApiProduces('image/png')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  get(@Query() { content }: QrCodeQuery, @Res() response: Response): void {
    const png = makeQrPng(content);
    response
      .set({
        'Content-Type': 'image/png',
        'Cache-Control': 'public, max-age=86400',
        ETag: `"${hash('sha256', png, 'base64url').slice(0, 27)}"`,
      })
      .send(png);
  }
}
