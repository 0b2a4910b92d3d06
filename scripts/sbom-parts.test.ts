import { expect, test } from 'vitest'
import { licencesOf, packagesOf } from './licences.ts'
import { billOf } from './sbom-parts.ts'

const DEVELOPMENT = { name: 'cdx:npm:package:development', value: 'true' }
const PATH = { name: 'cdx:npm:package:path', value: 'x' }

const aComponent = (name: string, ...properties: { name: string; value: string }[]) => ({
  ...{ 'bom-ref': `${name}@1.0.0`, name, version: '1.0.0', scope: 'optional' },
  properties: [PATH, ...properties],
})
const all = {
  metadata: { component: aComponent('folder') },
  components: [
    ...[aComponent('beside'), aComponent('tool', DEVELOPMENT), aComponent('bundled', DEVELOPMENT)],
  ],
  dependencies: [
    { ref: 'folder@1.0.0', dependsOn: ['beside@1.0.0', 'tool@1.0.0', 'bundled@1.0.0'] },
    { ref: 'tool@1.0.0', dependsOn: ['bundled@1.0.0'] },
    { ref: 'bundled@1.0.0', dependsOn: ['tool@1.0.0'] },
  ],
}
const bundled = [{ name: 'bundled', version: '1.0.0' }]

test('what is shipped is what is in the bundle and what is installed beside it', () => {
  const { metadata, components, dependencies } = billOf(all, { program: 'program', bundled })

  expect(metadata.component.name).toBe('program')
  expect(components.map(({ name }) => name)).toEqual(['beside', 'bundled'])
  expect(components[1]).toMatchObject({ scope: 'required', properties: [PATH] })
  expect(dependencies).toEqual([
    { ref: 'folder@1.0.0', dependsOn: ['beside@1.0.0', 'bundled@1.0.0'] },
    { ref: 'bundled@1.0.0', dependsOn: [] },
  ])
})

test('a package of another version than npm knows is not passed over', () => {
  const another = [{ name: 'bundled', version: '2.0.0' }]

  expect(() => billOf(all, { program: 'program', bundled: another })).toThrow(
    'npm does not know of bundled@2.0.0',
  )
})

test('packages are those that the bundle has parts of, with what their authors say', async () => {
  const root = process.cwd()
  const inputs = {
    'src/cli/main.ts': { bytesInOutput: 5 },
    'node_modules/yaml/dist/index.js': { bytesInOutput: 5 },
    'node_modules/@grpc/grpc-js/build/src/index.js': { bytesInOutput: 5 },
    'node_modules/typebox/index.js': { bytesInOutput: 0 },
  }
  const output = { bytes: 9, inputs, imports: [], exports: [] }
  const packages = await packagesOf({ outputs: { 'a.mjs': output, 'b.mjs': output } }, root)

  expect(packages.map(({ name }) => name)).toEqual(['@grpc/grpc-js', 'yaml'])
  const text = await licencesOf(packages, root)
  expect(text).toMatch(/^yaml \d+\.\d+\.\d+: ISC$/m)
  expect(text).toContain('Permission to use, copy, modify, and/or distribute this software')
})
