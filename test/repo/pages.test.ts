import { expect, test } from 'vitest'
import {
  anchorsOf,
  consoleOf,
  linksOf,
  makeTargetsOf,
  manifestsOf,
  programWordsOf,
  undefinedReferencesOf,
} from './pages.ts'

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

test('of a block for reading what is typed is seen, and not what is printed', () => {
  const codeOf = (code: string) => consoleOf(fence('console', code)).map((one) => one.code)

  expect(codeOf('make x\nmake y')).toEqual(['make x\nmake y\n'])
  expect(codeOf('$ a \\\n  --b\nprinted (\n$ c')).toEqual(['a \\\n  --b\nc\n'])
  expect(codeOf('get <cluster> -n <its namespace> > x')).toEqual(['get word -n word > x\n'])
  expect(makeTargetsOf(fence('console', '$ make x\nmake: nothing'))).toEqual(['x'])
})

test.each([
  ['bin/talos-operator demo --workers 5 # more', ['demo', '--workers', '5']],
  ['until talos-operator explain x; do true; done', ['explain', 'x']],
  ['x=$(bin/talos-operator kubeconfig a | cat)', ['kubeconfig', 'a']],
  ['! bin/talos-operator validate -c x > log', ['validate', '-c', 'x']],
  ['bin/talos-operator gen \\\n  secrets', ['gen', 'secrets']],
  ['npx ./talos-operator-0.1.0.tgz demo', ['demo']],
])('in %j the words of our command are seen', (code, words) => {
  for (const language of ['sh', 'console'])
    expect(programWordsOf(fence(language, code))).toEqual([words])
})

test('the name of a chart or of a Deployment is no command', () => {
  const code = 'helm install talos-operator x\nkubectl logs deployment/talos-operator --follow'

  expect(programWordsOf(fence('sh', code))).toEqual([])
})
