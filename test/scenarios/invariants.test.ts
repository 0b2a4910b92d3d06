import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConfigMap, Secret } from '#api/foreign.ts'
import { parseYaml } from '#base/yaml.ts'
import type { NewCall } from './boundary.ts'
import { brokenInvariants } from './invariants.ts'
import { aWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.5', machines: 1 })
  await world.bringSecrets('one')
})
afterAll(() => world[Symbol.asyncDispose]())

const call = (method: string, known: object): NewCall => ({
  ...{ to: 'machine', method, address: world.address(1), isDryRun: false, uuid: 'u' },
  ...{ stage: 'running', claims: [] },
  ...known,
})

/** What is said of one call alone, which is forgotten afterwards. */
async function saidOf(one: NewCall): Promise<string[]> {
  const { history } = world.boundary
  const { call: entered } = world.boundary.enter(one)
  const said = await brokenInvariants(world)
  history.splice(history.indexOf(entered), 1)
  return said
}

test('a reset of a machine that nobody gives away is told', async () => {
  const owned = { claims: [{ name: 'one', isLeaving: false }] }
  const leaving = { claims: [{ name: 'one', isLeaving: true }] }

  expect(await saidOf(call('reset', {}))).toHaveLength(1)
  expect(await saidOf(call('reset', owned))).toHaveLength(1)
  expect(await saidOf(call('reset', leaving))).toEqual([])
})

test('a configuration for a machine that does not wait, or is not claimed, is told', async () => {
  const claims = [{ name: 'one', isLeaving: false }]
  const send = (known: object) => saidOf(call('configuration.apply', known))

  expect(await send({ claims })).toEqual([expect.stringContaining('the machine is running')])
  expect(await send({ stage: 'maintenance' })).toEqual([
    expect.stringContaining('claimed by nobody'),
  ])
  expect(await send({ stage: 'maintenance', claims })).toEqual([])
  expect(await send({ isDryRun: true })).toEqual([])
})

test('a byte of a secret in the log or in an object is told, in whatever form', async () => {
  const [secret] = await world.objects.list(Secret)
  const text = Buffer.from(secret?.data?.['secrets.yaml'] ?? '', 'base64').toString()
  const { certs, cluster } = Object(parseYaml(text))
  const pem = Buffer.from(certs.os.key, 'base64').toString().split('\n')[1]

  world.log.push(`{"key":"${pem}"}`)
  const inLog = await brokenInvariants(world)
  world.log.pop()
  await world.objects.create(ConfigMap, { metadata: { name: 'oh' }, data: { a: cluster.secret } })
  const inObject = await brokenInvariants(world)

  expect(inLog).toEqual(['a secret is in the log'])
  expect(inObject).toEqual(['a secret is in ConfigMap oh'])
})
