import fc from 'fast-check';
import { html } from './html.js';

it('escapes what is put in, and leaves what was built', () => {
  const nasty = `"><script>alert('1')</script>&`;
  expect(html`<a title="${nasty}">${html`<b>${nasty}</b>`}</a>`.text).toBe(
    '<a title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;"><b>' +
      '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;</b></a>',
  );
});

it('joins lists and leaves out what is not there', () => {
  expect(html`${[1, 'a', html`<br />`]}${null}${undefined}${false}${0}`.text).toBe('1a<br />0');
});

it('lets no text break out', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const page = html`<i title="${text}">!</i>`.text;
      expect(page.slice('<i title="'.length, -'">!</i>'.length)).not.toMatch(/[<>"']/);
    }),
  );
});
