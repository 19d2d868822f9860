import { findPathWarnings, permissionsWarning } from './bundle-warnings.js';

const codesOf = (...paths: string[]): string[] => findPathWarnings('zip', paths).map(({ code }) => code);
const messageOf = (...paths: string[]): string | undefined => findPathWarnings('zip', paths)[0]?.message;
const manifestMessageOf = (...paths: string[]): string | undefined =>
  findPathWarnings('manifest', paths)[0]?.message;

describe('warnings about the paths of a bundle', () => {
  it.each([
    [['index.html']],
    [['index.html', 'assets/app.js', 'help/index.html', 'en/index.html']],
    [['index.html', 'auxiliary.js', 'console/con-1.js', 'com10.txt', 'a.b', '.well-known/x', 'nul0', '...a']],
    [['index.html', 'Grüße & 1+1 = 100%.txt']],
  ])('there are none of %j', (paths) => {
    expect(codesOf(...paths)).toEqual([]);
  });

  it('name a folder around everything', () => {
    expect(codesOf('www/index.html', 'www/assets/app.js')).toEqual(['wrapping_folder']);
    expect(messageOf('www/index.html')).toBe(
      'Everything is in the folder www. Devices find the index.html there, but publish the content of the folder instead.',
    );
    expect(codesOf('index.html/index.html')).toEqual(['wrapping_folder']);
  });

  it('name an index.html that is not at the root', () => {
    expect(codesOf('app/index.html', 'readme.txt')).toEqual(['index_not_at_root']);
    expect(codesOf('www/browser/index.html', 'www/readme.txt')).toEqual([
      'wrapping_folder',
      'index_not_at_root',
    ]);
    expect(messageOf('app/index.html', 'readme.txt')).toContain('app/index.html');
  });

  it('say of a manifest that devices do not keep it without an index.html at the root', () => {
    expect(manifestMessageOf('www/index.html')).toBe(
      'Everything is in the folder www. Devices keep only the folder of the index.html, without the manifest, and download all files of each update: publish the content of the folder instead.',
    );
    expect(manifestMessageOf('app/index.html', 'readme.txt')).toBe(
      'There is no index.html at the root: devices start with app/index.html, and its folder is the root of the app. They keep only the folder of the index.html, without the manifest, and download all files of each update.',
    );
    expect(manifestMessageOf('index.html', 'help/index.html')).toBeUndefined();
  });

  it('name several of them with none at the root', () => {
    expect(codesOf('de/index.html', 'en/index.html')).toEqual(['ambiguous_index']);
    expect(codesOf('www/index.html', 'www/help/index.html')).toEqual(['wrapping_folder', 'ambiguous_index']);
    expect(messageOf('de/index.html', 'en/index.html')).toContain('de/index.html and en/index.html');
  });

  it.each([
    'CON',
    'aux.js',
    'assets/nul.tar.gz',
    'prn/app.js',
    'Com1',
    'lpt9.txt',
    'com¹',
    'CONIN$',
    'aux .js',
    'file.',
    'folder./app.js',
    'file ',
    'folder /app.js',
    'a<b',
    'a>b',
    'a:b',
    'a"b',
    'a|b',
    'what?.js',
    '*.js',
  ])('name %s, which Windows cannot unpack', (path) => {
    expect(codesOf('index.html', path)).toEqual(['windows_names']);
    expect(messageOf('index.html', path)).toContain(JSON.stringify(path));
  });

  it('name one path and the number of the others', () => {
    expect(messageOf('index.html', 'aux', 'con', 'nul')).toBe(
      'Windows cannot unpack "aux" (and 2 more): the name is reserved there, ends with a dot or a blank, or contains one of < > : " | ? *.',
    );
    expect(messageOf('index.html', `${'x'.repeat(1000)}?`)?.length).toBeLessThan(500);
  });

  it('have codes of the list, each once', () => {
    const codes = codesOf('www/a/index.html', 'www/b/index.html', 'www/con', 'www/aux');
    expect(codes).toEqual(['wrapping_folder', 'ambiguous_index', 'windows_names']);
  });
});

describe('the warning about permissions', () => {
  it('names one path and the number of the others', () => {
    expect(permissionsWarning([])).toEqual([]);
    expect(permissionsWarning(['a', 'b'])).toEqual([
      {
        code: 'special_permissions',
        message: '"a" (and 1 more) has the setuid or setgid bit, which no device needs.',
      },
    ]);
  });
});
