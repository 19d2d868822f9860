import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { invalidField } from '../../common/errors/app-error.js';
import { SecretBox } from '../../common/secrets/secret-box.js';
import { nameColumns } from '../../common/validation/name.decorator.js';
import { CountLimits } from '../../database/count-limits.js';
import { insertOrThrow, lockOrThrow, updateOrThrow } from '../../database/rows.js';
import { currentActor } from '../../database/transactions/actor.js';
import { transaction } from '../../database/transactions/transaction.js';
import { StoreKeysService } from '../store-keys/store-keys.service.js';
import type {
  CreateDestinationDto,
  UpdateDestinationDto,
  DestinationFieldsDto,
} from './create-destination.dto.js';
import { columnsOf, destinationViolations, typeOf } from './destination-columns.js';
import { Destination } from './destination.entity.js';

@Injectable()
export class DestinationChangesService {
  constructor(
    @InjectRepository(Destination) private readonly destinations: Repository<Destination>,
    private readonly keys: StoreKeysService,
    private readonly box: SecretBox,
    private readonly limits: CountLimits,
  ) {}

  /**
   * @throws InvalidRequestError when the store takes no builds of the platform, or a freeze window ends before it begins
   * @throws NotFoundError when the app has no such key
   * @throws ConflictError when the app has a destination of this name, or as many as the server allows
   */
  create(appId: string, values: CreateDestinationDto): Promise<Destination> {
    const type = typeOf(values);
    return transaction(async () => {
      await this.requireKeys(appId, values);
      await this.limits.requireRoom('destinationsPerApp', appId, this.destinations, { appId });
      const id = uuid();
      const userId = currentActor()?.userId ?? null;
      const row = {
        ...columnsOf(values),
        ...this.seal(id, values),
        ...nameColumns(values.name),
        id,
        appId,
        platform: values.platform,
        type,
        createdByUserId: userId,
        updatedByUserId: userId,
      };
      return insertOrThrow(this.destinations, row, destinationViolations);
    });
  }

  /**
   * @throws InvalidRequestError when the request changes platform or type, or a freeze window ends before it begins
   * @throws NotFoundError when the app has no such destination, or no such key
   * @throws ConflictError when the app has another destination of the new name
   */
  update(appId: string, id: string, changes: UpdateDestinationDto): Promise<Destination> {
    return transaction(async () => {
      const present = await lockOrThrow(this.destinations, { appId, id }, 'for_no_key_update');
      for (const field of ['platform', 'type'] as const) {
        const value = changes[field];
        if (value !== undefined && value !== present[field])
          throw invalidField(field, `${field} cannot be changed: create another destination.`);
      }
      await this.requireKeys(appId, changes);
      const row = {
        ...columnsOf(changes),
        ...this.seal(id, changes),
        ...nameColumns(changes.name),
        updatedByUserId: currentActor()?.userId ?? null,
      };
      const changed = await updateOrThrow(this.destinations, { appId, id }, row, destinationViolations);
      const used = [changed.googleKeyId, changed.appleKeyFileId];
      const isReleased = (keyId: string | null): keyId is string => keyId !== null && !used.includes(keyId);
      await this.keys.release([present.googleKeyId, present.appleKeyFileId].filter(isReleased));
      return changed;
    });
  }

  private async requireKeys(appId: string, fields: DestinationFieldsDto): Promise<void> {
    const { appGoogleServiceAccountKeyId: google, appAppleApiKeyId: apple } = fields;
    if (google != null) await this.keys.require(appId, 'google-service-account', google);
    if (apple != null) await this.keys.require(appId, 'apple-api-key', apple);
  }

  /** The columns of secrets; `undefined` for absent ones. */
  private seal(id: string, { appleAppPassword, huaweiClientSecret }: DestinationFieldsDto) {
    const sealed = (secret: string | null | undefined): string | null | undefined =>
      typeof secret === 'string' ? this.box.seal(secret, `destinations:${id}`) : secret;
    return {
      ...(appleAppPassword !== undefined && { sealedAppleAppPassword: sealed(appleAppPassword) }),
      ...(huaweiClientSecret !== undefined && { sealedHuaweiClientSecret: sealed(huaweiClientSecret) }),
    };
  }
}
