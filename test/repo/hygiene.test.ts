import { expect, test } from 'vitest'
import { filesMatching, textOf } from './tree.ts'

test('no file names a place on somebody’s machine', async () => {
  const files = await filesMatching(/^(?!LICENSE|package-lock\.json|test\/repo\/hygiene)/)
  const place = /(?:^|[\s"'`(=:])\/(?:work|root|home\/\w+|Users\/\w+)\//m

  const found = await Promise.all(
    files.map(async (path) => (place.test(await textOf(path)) ? [path] : [])),
  )
  expect(found.flat()).toEqual([])
})

test('the lock file says what to install, and leaves open from where', async () => {
  const lock = JSON.parse(await textOf('package-lock.json'))

  const placed = Object.entries<{ resolved?: string }>(lock.packages).filter(
    ([, { resolved }]) => resolved !== undefined,
  )
  expect(placed.map(([path]) => path)).toEqual([])
})

test('the lock file knows the packages for every platform, without which npm ci refuses', async () => {
  const { packages }: { packages: Record<string, { optionalDependencies?: object }> } = JSON.parse(
    await textOf('package-lock.json'),
  )

  const optional = Object.values(packages).flatMap((one) =>
    Object.keys(one.optionalDependencies ?? {}),
  )
  expect(optional.length).toBeGreaterThan(0)
  expect(optional.filter((name) => !packages[`node_modules/${name}`])).toEqual([])
})

test('dependencies are pinned to exact versions', async () => {
  const { dependencies, devDependencies } = JSON.parse(await textOf('package.json'))

  const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([, version]) => !/^\d+\.\d+\.\d+$/.test(String(version)),
  )
  expect(loose).toEqual([])
  expect(Object.keys(dependencies).length).toBeLessThanOrEqual(20)
})

test('no test is made of mocked modules or of sleeping', async () => {
  const tests = await filesMatching(/^(src|scripts|test)\/.*\.(test|suite)\.ts$/)

  const guilty = await Promise.all(
    tests
      .filter((path) => path !== 'test/repo/hygiene.test.ts')
      .map(async (path) => {
        const text = await textOf(path)
        return /\bvi\.(mock|doMock)\(|\bsetTimeout\(resolve|\bsleep\(/.test(text) ? [path] : []
      }),
  )
  expect(guilty.flat()).toEqual([])
})
