import { resourceText } from './display-name.js';

it.each([
  [`Tom's "Shop"`, 'Tom\\&apos;s \\&quot;Shop\\&quot;'],
  ['@string/app_name', '\\@string/app_name'],
  ['?attr/x', '\\?attr/x'],
  ['a\\n', 'a\\\\n'],
])('writes %j as a text of Android', (text, expected) => expect(resourceText(text)).toBe(expected));
