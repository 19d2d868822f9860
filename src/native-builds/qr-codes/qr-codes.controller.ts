import { Controller, Get, Header, Query, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiProduces } from '@nestjs/swagger';
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
  @Header('Cache-Control', 'public, max-age=86400')
  @ApiProduces('image/png')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  get(@Query() { content }: QrCodeQuery): StreamableFile {
    const png = makeQrPng(content);
    return new StreamableFile(png, { type: 'image/png', length: png.length });
  }
}
