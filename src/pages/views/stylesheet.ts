import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Colours, sizes and spaces of all pages and of the console, in CSS. */
export const tokens = readAsset('tokens.css');

/** The look of the server pages, in CSS. */
export const stylesheet = tokens + readAsset('stylesheet.css');

/** The mark of the pages, in SVG: a hull on its slope. */
export const icon = readAsset('icon.svg');

/** Where the stylesheets are served. The addresses change with the content, so browsers may keep them. */
export const stylesheetPath = `/pages.css?v=${versionOf(stylesheet)}`;
export const tokensPath = `/tokens.css?v=${versionOf(tokens)}`;

/** Where the icon is served. */
export const iconPath = '/pages.svg';

function versionOf(css: string): string {
  return createHash('sha256').update(css).digest('hex').slice(0, 12);
}

/** The file stands beside this module, in the sources as in the build; a bundle needs it beside itself. */
function readAsset(name: string): string {
  return readFileSync(join(import.meta.dirname, name), 'utf8');
}
