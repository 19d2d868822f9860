import fc from 'fast-check';
import { html as page } from './html.js';
import { anyCharacter } from '../../../test/support/any-character.js';

it('escapes what is put in, and leaves what was built', () => {
  const nasty = `"><script>alert('1')</script>&`;
  expect(page`<a title="${nasty}">${page`<b>${nasty}</b>`}</a>`.text).toBe(
    '<a title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;"><b>' +
      '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;</b></a>',
  );
});

it('joins lists and leaves out what is not there', () => {
  expect(page`${[1, 'a', page`<br>`]}${null}${undefined}${false}${0}`.text).toBe('1a<br>0');
});

it('lets no text break out', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      expect(page`[${text}]`.text.slice(1, -1)).not.toMatch(/[<>"']/);
    }),
  );
});
