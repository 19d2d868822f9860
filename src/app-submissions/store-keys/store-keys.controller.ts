import { Body, Controller, Post, UploadedFile, UseInterceptors } from '@nestjs/common';
import { ApiConsumes } from '@nestjs/swagger';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { SmallFileInterceptor } from '../../common/http/small-file.interceptor.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import { storeKeyTextOf } from './store-key-text.js';
import { CreateStoreKeyDto, StoreKeyDto, toStoreKeyDto } from './store-key.dto.js';
import { StoreKeysService } from './store-keys.service.js';

/** Largest file of a key: 64 KiB. They have about two. */
export const MAX_STORE_KEY_BYTES = 64 * 1024;

const StoreKeyFileInterceptor = SmallFileInterceptor(MAX_STORE_KEY_BYTES, ', and no key has');

type UploadedKey = Pick<Express.Multer.File, 'buffer'>;

@ApiTags('Destinations')
@Controller('apps/:appId')
export class StoreKeysController {
  constructor(private readonly keys: StoreKeysService) {}

  /**
   * Uploads the `.p8` of an API key of App Store Connect, for `appAppleApiKeyId` of destinations. A file that no destination
   * uses is deleted after a day.
   */
  @Post('apple-api-keys')
  @OwnTransactions()
  @Requires('destinations:write')
  @ApiConsumes('multipart/form-data')
  @UseInterceptors(StoreKeyFileInterceptor)
  @ApiErrors('limit_reached')
  async createAppleKey(
    @CurrentApp() app: App,
    @Body() _body: CreateStoreKeyDto,
    @UploadedFile() file: UploadedKey | undefined,
  ): Promise<StoreKeyDto> {
    return toStoreKeyDto(await this.keys.createAppleKey(app.id, storeKeyTextOf(file)));
  }

  /**
   * Uploads the JSON key of a Google service account, for `appGoogleServiceAccountKeyId` of destinations. A file that no
   * destination uses is deleted after a day.
   */
  @Post('google-service-account-keys')
  @OwnTransactions()
  @Requires('destinations:write')
  @ApiConsumes('multipart/form-data')
  @UseInterceptors(StoreKeyFileInterceptor)
  @ApiErrors('limit_reached')
  async createGoogleKey(
    @CurrentApp() app: App,
    @Body() _body: CreateStoreKeyDto,
    @UploadedFile() file: UploadedKey | undefined,
  ): Promise<StoreKeyDto> {
    return toStoreKeyDto(await this.keys.createGoogleKey(app.id, storeKeyTextOf(file)));
  }
}
