import { ApiProperty } from '@nestjs/swagger';

/** The state of the process. */
export class HealthDto {
  @ApiProperty({ enum: ['ok'] })
  status!: 'ok';
}
