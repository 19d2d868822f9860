import { ApiProperty } from '@nestjs/swagger';
import { IsText } from '../../common/validation/is-text.decorator.js';
import { IsTextThat } from '../../common/validation/satisfies.decorator.js';
import { isPackageName, MAX_PACKAGE_NAME_LENGTH } from '../configurations/package-name.js';
import { hasControls, MAX_TITLE, MAX_VERSION } from '../shared-builds/ios-install.js';

const CONTROLS = '$property must not have control characters.';
const isPlain = (text: string): boolean => !hasControls(text);

/** The app to install. All parameters are required. */
export class IosManifestQuery {
  /**
   * Address of the `ipa` on this server: a signed one, as `downloadUrl` of an artifact or a share.
   * @example 'https://slipway.example.com/v1/apps/…/download?expiresAt=1773481613000&signature=…'
   */
  @IsText(2000, 1)
  url!: string;

  /**
   * Name that the device shows while it installs the app.
   * @example 'Shop'
   */
  @IsTextThat(isPlain, CONTROLS)
  @IsText(MAX_TITLE, 1)
  displayName!: string;

  /**
   * Bundle id of the app. The device refuses one that the file does not have.
   * @example 'com.example.shop'
   */
  @ApiProperty({ type: 'string', maxLength: MAX_PACKAGE_NAME_LENGTH })
  @IsTextThat(isPackageName, '$property must be a bundle id, such as com.example.shop.')
  packageName!: string;

  /**
   * Version of the app.
   * @example '1.2.3'
   */
  @IsTextThat(isPlain, CONTROLS)
  @IsText(MAX_VERSION, 1)
  packageVersion!: string;
}
