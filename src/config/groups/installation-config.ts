import { IsIn, IsOptional } from 'class-validator';
import { Env } from '../env.decorator.js';

/** The kinds of installations, which differ in how a command is run. */
export type Installation = 'checkout' | 'compose' | 'image' | 'kubernetes';

/** How this server was installed. */
export class InstallationConfig {
  /**
   * How the server was installed. Commands print lines that work there. The image and `docker-compose.yml` set it, and
   * Kubernetes is recognized by its own variables.
   *
   * @default found out
   */
  @Env('INSTALLATION')
  @IsOptional()
  @IsIn(['checkout', 'compose', 'image', 'kubernetes'])
  kind: Installation | null = null;
}
