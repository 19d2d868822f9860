import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';

/** The only change of a job: to cancel it. */
export class UpdateJobDto {
  @IsOneOf(['canceled'], 'JobChange')
  status!: 'canceled';
}
