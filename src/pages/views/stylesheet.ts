import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The look of all pages, in CSS. */
export const stylesheet = readAsset('stylesheet.css');

/** The mark of the pages, in SVG: a hull on its slope. */
export const icon = readAsset('icon.svg');

/** Where the stylesheet is served. The address changes with the content, so browsers may keep it. */
export const stylesheetPath = `/pages.css?v=${createHash('sha256').update(stylesheet).digest('hex').slice(0, 12)}`;

/** Where the icon is served. */
export const iconPath = '/pages.svg';

/** The file stands beside this module, in the sources as in the build; a bundle needs it beside itself. */
function readAsset(name: string): string {
  return readFileSync(join(import.meta.dirname, name), 'utf8');
}
