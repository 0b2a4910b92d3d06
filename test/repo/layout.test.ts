import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseYaml } from '#base/yaml.ts'
import { root, textOf } from './tree.ts'

const HEADING = '### Where things are in this repository'

/** The rows of the table that says where what the published document names is here. */
async function rows(): Promise<{ there: string; here: string[] }[]> {
  const page = await textOf('docs/differences.md')
  return (page.split(HEADING)[1] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (there|---)/.test(line))
    .map((line) => {
      const [there = '', here = ''] = line.split('|').slice(1)
      const isSame = here.includes('the same')
      const paths = pathsIn(here)
      return { there, here: isSame ? [...pathsOf(there), ...paths] : paths }
    })
}

const pathsIn = (cell: string): string[] =>
  [...cell.matchAll(/`([\w./-]+)`/g)].map(([, path = '']) => path)

/** `config/default`, `manager`: the second is beside the first. */
const pathsOf = (cell: string): string[] => {
  const [first = '', ...others] = pathsIn(cell)
  return [first, ...others.map((one) => join(first, '..', one))]
}

test('R2: what the published layout has is here, at the places that the table names', async () => {
  const all = await rows()
  const missing = all.flatMap(({ here }) => here.filter((path) => !existsSync(join(root, path))))

  expect(all.length).toBeGreaterThanOrEqual(11)
  // Made when it is first written to.
  expect(missing.filter((path) => path !== 'hack/results/')).toEqual([])
  expect(await textOf('.gitignore')).toContain('/hack/results/')
})

test('R2: config/default is made of the four others', async () => {
  const { resources } = Object(parseYaml(await textOf('config/default/kustomization.yaml')))

  expect(resources).toEqual(['../rbac', '../manager', '../prometheus', '../network-policy'])
})
