import { expect, test } from 'vitest'
import { anchorsOf, linksOf, makeTargetsOf, manifestsOf, undefinedReferencesOf } from './pages.ts'

const fence = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\`\n`

test.each([
  '[t](x)',
  '[t](x "title")',
  "[t](x 'title')",
  '[t](<x>)',
  '![t](x)',
  '[t][r]\n\n[r]: x',
  '[r]: <x> "title"',
  '<a href="x">t</a>',
  "<a class='c' href='x'>t</a>",
  '<img width="1" src="x">',
])('a link to x is seen in %j', (text) => {
  expect(linksOf(`Before ${text}`.replace('Before [r]', '[r]'))).toEqual(['x'])
})

test('code holds no links', () => {
  expect(linksOf(`\`[t](x)\` and \`\`[t](\`x)\`\`\n${fence('text', '[t](x)')}`)).toEqual([])
})

test('a reference to nothing is seen, and one to something is not', () => {
  expect(undefinedReferencesOf('[a][x] and [Y][]\n\n[y]: page.md\n')).toEqual(['x'])
})

test('headings are anchors, and a comment in code is none', () => {
  const page = `# One \`two\`\n${fence('sh', '# three')}## Same\n## Same\n<a id="own"></a>\n`

  expect(anchorsOf(page)).toEqual(['one-two', 'same', 'same-1', 'own'])
})

test.each(['yaml', 'yml', 'YAML', 'yaml title="x"'])(
  'a manifest is seen in a fence of %s',
  (language) => {
    expect(manifestsOf(`Text\n${fence(language, 'kind: X')}`)).toEqual([
      { line: 2, language: expect.stringMatching(/^ya?ml$/), code: 'kind: X\n' },
    ])
  },
)

test('a manifest is seen in a fence below an item of a list', () => {
  expect(manifestsOf('* Item\n\n  ```yaml\n  kind: X\n  ```\n')).toHaveLength(1)
})

test.each([
  'Run `make x`.',
  'Run `make   x`.',
  'Run `cd there && make x`.',
  fence('sh', 'make x'),
  fence('sh', '  make  x   # and then make coffee'),
  fence('bash', 'npm ci && make x | tee log'),
  fence('sh', 'FORCE=1 make x'),
  fence('sh', 'make -C there FORCE=1 x'),
])('the target is seen in %j', (text) => {
  expect(makeTargetsOf(text)).toEqual(['x'])
})

test('every target is seen, and none where there is none', () => {
  expect(makeTargetsOf('`make x y`')).toEqual(['x', 'y'])
  expect(
    makeTargetsOf('`make` makes sense; `make <target>` too; to make haste; `cmake x`'),
  ).toEqual([])
})
