import { afterAll, beforeAll, expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { Lease } from '#api/foreign.ts'
import { Machine } from '#api/machine.ts'
import type { KubeObject } from '#api/meta.ts'
import { CONTROL_PLANE } from './a-control-plane.ts'
import { startUpgrade, type UpgradeCommand } from './an-upgrade-command.ts'
import { brokenInvariants } from './invariants.ts'
import { OURS } from './objects.ts'
import { conditionOf, untilReady } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

// No operator runs: the command does its work, for one of two clusters.

const LONG = 300_000
const FORMER = 'v1.34.1'
const NEXT = 'v1.35.0'
const ONE = { name: 'one', to: NEXT }

let world: World
let others: string
beforeAll(async () => {
  const versions = { talos: 'v1.13.0', kubernetes: FORMER }
  world = await aWorld({ subnet: '127.80.94', machines: 5, versions })
  for (const name of ['one', 'two']) await world.bringSecrets(name)
  await world.objects.apply(world.cluster('one', [1, 2, 3], [4]))
  await world.objects.apply(world.cluster('two', [5], []))
  for (const name of ['one', 'two']) await untilReady(world, name)
  await world.stopOperator()
  await edit('two', NEXT)
  others = await objectsOfTwo()
}, LONG)
afterAll(() => world[Symbol.asyncDispose]())

const edit = (name: string, kubeVersion: string) =>
  world.objects.patch(Cluster, name, { spec: { controlPlane: { kubeVersion } } })

/** Everything of the other cluster, with the versions of its objects. */
async function objectsOfTwo(): Promise<string> {
  const all: KubeObject[] = (await Promise.all(OURS.map((kind) => world.objects.list(kind)))).flat()
  const own = all.filter(({ metadata }) => metadata.name.startsWith('two'))
  return own
    .map(({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.resourceVersion}`)
    .join()
}

const untilPrinted = (command: UpgradeCommand, text: string) =>
  world.until(`the command to print "${text}"`, () => command.out().includes(text))

const holder = async () => (await world.objects.find(Lease, 'talos-operator'))?.spec?.holderIdentity

const kubelets = async () => {
  const machines = await world.objects.list(Machine)
  return machines.map(
    ({ metadata, status }) => `${metadata.name.slice(0, 3)} ${status?.kubernetes?.kubelet}`,
  )
}

test('killed in the middle it leaves off, stopped it gives the Lease back, and run again it goes on', {
  timeout: LONG,
}, async () => {
  const killed = await startUpgrade(world, ONE)
  await untilPrinted(killed, 'the API servers\n')
  await killed.kill()
  const stopped = await startUpgrade(world, ONE)
  await untilPrinted(stopped, 'the controller managers\n')
  const held = await holder()
  stopped.stop()
  const failure = await stopped.end

  expect(held).toMatch(/^upgrade-k8s:default\/one:command-\d+_/)
  expect(failure).toMatch(/until an operator runs, or this is run again/)
  expect(await holder()).toBe('')
  expect(await conditionOf(world, CONTROL_PLANE, 'Ready')).toMatchObject({
    reason: 'UpgradingKubernetes',
  })
  expect(await objectsOfTwo()).toBe(others)
})

test('it brings one cluster to the end, while an operator stands by and the other one is left alone', {
  timeout: LONG,
}, async () => {
  const command = await startUpgrade(world, ONE)
  await untilPrinted(command, 'this command leads')
  const since = world.log.length
  world.startOperator()
  const failure = await command.end
  const leftAlone = await objectsOfTwo()
  const said = world.log.slice(since).find((line) => line.includes('"standing by"'))

  expect([failure, command.err()]).toEqual(['', ''])
  expect(said).toContain('upgrade-k8s:default/one:command-')
  expect(leftAlone).toBe(others)
  expect(new Set(await kubelets())).toEqual(new Set([`one ${NEXT}`, `two ${FORMER}`]))
  expect(await conditionOf(world, [Cluster, 'one'], 'Ready')).toMatchObject({ status: 'True' })
})

test('the operator that stood by goes on with the other one, and when it ends, a command does', {
  timeout: LONG,
}, async () => {
  await world.until('the operator to lead', async () => ![undefined, ''].includes(await holder()))
  const command = await startUpgrade(world, { name: 'two', to: NEXT })
  await untilPrinted(command, 'the controller managers\n')
  await world.stopOperator()
  const failure = await command.end

  expect(failure).toBe('')
  expect(command.out()).toMatch(
    /\nthe API servers\n.*an operator is given 60 s to begin\nno operator leads: this command/s,
  )
  expect(new Set(await kubelets())).toEqual(new Set([`one ${NEXT}`, `two ${NEXT}`]))
  expect(await brokenInvariants(world)).toEqual([])
})
