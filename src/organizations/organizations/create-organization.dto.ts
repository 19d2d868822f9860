import { IsName } from '../../common/validation/name.decorator.js';

/** A new organization; its creator becomes the owner. */
export class CreateOrganizationDto {
  /** @example 'Acme' */
  @IsName()
  name!: string;
}
