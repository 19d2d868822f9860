import { Controller, HttpCode, Post } from '@nestjs/common';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import { DestinationVerificationDto } from './destination-check.dto.js';
import { DestinationChecksService } from './destination-checks.service.js';

@ApiTags('Destinations')
@Controller('apps/:appId/destinations/:destinationId')
export class DestinationChecksController {
  constructor(private readonly checks: DestinationChecksService) {}

  /**
   * Signs in to the store with the key of a destination, and says what it may do and what is missing. It changes nothing in
   * the store. Only destinations of the types `google-play` and `apple-app-store-connect` can be verified yet.
   */
  @Post('verify')
  @HttpCode(200)
  @OwnTransactions()
  @Requires('destinations:write')
  @ApiErrors('destination_type_unsupported')
  verify(@CurrentApp() app: App, @IdParam('destinationId') id: string): Promise<DestinationVerificationDto> {
    return this.checks.verify(app, id);
  }
}
